"""What the tests of the real program stand on: terminals, multiplexers, a parser."""
