"""The tests of faults share the words of tests/pty."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "pty"))
