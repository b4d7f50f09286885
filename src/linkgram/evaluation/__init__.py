"""Evaluation: splits, candidates, schedules, and the ranks a predictor reaches under them."""
