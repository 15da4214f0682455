"""Stages of the flow, and what runs them: batcher, lanes, dispatcher, devices."""
