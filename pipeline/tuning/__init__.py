"""Finding the settings that are fastest on this machine: what ``inklane tune`` does."""
