"""Analysis: turns a syntax tree into a typed logical plan. It may add meaning: types, defaults, kinds."""
