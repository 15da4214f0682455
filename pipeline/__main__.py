"""``python -m pipeline`` is the command ``inklane``."""

from pipeline.cli.app import main

if __name__ == "__main__":  # a spawned worker process imports this module again
    main()
