"""What can be changed while documents flow: models, a second version's share of them, shadows, tracing."""
