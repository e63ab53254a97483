"""Profile: where the milliseconds of one batch go, part by part."""
