"""What passes between the parts: results, settings, errors and ground truth. Imports nothing of the project."""
