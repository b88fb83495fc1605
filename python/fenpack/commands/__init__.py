"""The commands of the command line, one a module; each has `add` and what it runs."""
