"""Staging: cuts a physical plan into stages between shuffles."""
