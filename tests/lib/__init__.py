"""Shared by the tests of the real program: terminals, multiplexers, a parser."""
