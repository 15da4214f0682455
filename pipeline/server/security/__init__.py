"""Who may ask, and how often: API keys, rate limits, quotas, and what browsers are told."""
