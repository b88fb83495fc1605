"""Let coverage choose the columns of the properties in tests/test_any_array.py.

    python tests/soak/fuzz_surface.py [PROPERTY ...] [-max_total_time=1200] [-jobs=1] [FOLDER]

A property is the name of a test without ``test_``, all in turn by default; what begins with ``-``
goes to libFuzzer, as does a folder, in which inputs that reach new code are kept. Needs `atheris`
(a wheel for CPython up to 3.13), beside what the tests need. Ends at the first failure, with the
columns that cause it.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))
with atheris.instrument_imports(include=["fenpack"]):
    import fenpack  # noqa: F401

from hypothesis import settings

import test_any_array
import test_lying_arrays

PROPERTIES = {
    name.removeprefix("test_"): test.hypothesis.fuzz_one_input
    for module in (test_any_array, test_lying_arrays)
    for name, test in vars(module).items()
    if hasattr(test, "hypothesis") and hasattr(test.hypothesis, "fuzz_one_input")
}
#: What an input, most of which are short, leaves open.
REST = random.Random(7).randbytes(1 << 12)


def main() -> None:
    """Run libFuzzer over the chosen properties, one input after the other."""
    settings.register_profile("fuzz", deadline=None, database=None)
    settings.load_profile("fuzz")
    chosen = [name for name in sys.argv[1:] if name in PROPERTIES] or list(PROPERTIES)
    runs = [PROPERTIES[name] for name in chosen]

    def one(data: bytes) -> None:
        if data:
            runs[data[0] % len(runs)](data[1:] + REST)

    arguments = [argument for argument in sys.argv if argument not in PROPERTIES]
    atheris.Setup(arguments, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
