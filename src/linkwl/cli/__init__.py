"""The command line: parse, call one function, format."""
