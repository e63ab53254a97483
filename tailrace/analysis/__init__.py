"""Analysis: a syntax tree and the catalog to a typed plan. It may add meaning: types, defaults, kinds."""
