"""Demos: complete examples that need nothing but the install."""
