"""Files of the playground and the documentation page. A package, so that they are installed with the rest."""
