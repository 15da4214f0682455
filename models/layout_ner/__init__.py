"""Layout-NER: a network that reads text and position together and names what it reads."""
