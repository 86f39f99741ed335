"""Cross-check: the verdict of doctor agrees with the result of a copy there."""

import functools
import json

# The verdict does not cover larger ones, which may exceed a limit.
_SMALL = 4096
_OUTCOMES = {0: ("yes", "unknown"), 3: ("no",), 4: ("no",), 7: ("unlikely", "needs a setting")}


def findings(place, *options, **how):
    """Findings by feature; checks that the exit status agrees."""
    result = place.run(["viatty", "doctor", "--json", *options], **how)
    report = json.loads(result.stdout)
    found = {finding["feature"]: finding for finding in report["features"]}
    if set(options) & set(found):
        fails = ("no", "unlikely", "needs a setting")
        works = all(finding["works"] not in fails for finding in found.values())
        assert (result.status == 0) == works, result
        assert works or result.status in (3, 4, 7), result
    return found


def has_second_opinion(copy):
    """expect.copy, followed by the cross-check with doctor."""

    @functools.wraps(copy)
    def copy_and_ask(place, data, *options, **how):
        result = copy(place, data, *options, **how)
        feature, rest = _what_it_is_called(data, options)
        if feature and result.status in _OUTCOMES:
            _agrees(place, data, result, feature, rest, how)
        return result

    return copy_and_ask


def _what_it_is_called(data, options):
    """The feature and its options; None if doctor does not cover it."""
    rest = list(options)
    primary = rest.count("-p")
    if primary:
        rest.remove("-p")
    if len(data) > _SMALL or (rest and (rest[0], len(rest)) != ("--route", 2)):
        return None, rest
    if not data:
        return (None if primary else "clear"), rest
    return ("primary" if primary else "copy"), rest


def _agrees(place, data, result, feature, options, how):
    terminal = _only_terminal(place)
    record = terminal.recorded() if terminal else b""
    found = findings(place, *options, feature, **how)[feature]
    said = f"doctor says {found}; the copy: exit {result.status}: {result.stderr}"
    # What depends on a setting is refused where the terminal tells of it.
    decided = found["works"] == "needs a setting" and result.status == 4
    assert decided or found["works"] in _OUTCOMES[result.status], said
    if not terminal:
        return
    # The queries of doctor are not part of the test.
    place.settle()
    terminal.rewind(record)
    arrived = data in [written for _, written in terminal.clipboard()]
    assert arrived or found["works"] != "yes", said
    assert not arrived or found["works"] != "no", said
    # "Unknown" does not excuse a silent loss.
    assert arrived or result.status != 0 or result.stderr, said


def _only_terminal(place):
    """The only terminal that shows the place, or None."""
    try:
        return place.terminal
    except ValueError:
        return None
