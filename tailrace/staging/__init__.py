"""Staging: from operators to stages between shuffles."""
