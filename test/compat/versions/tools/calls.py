"""Records the calls of a tool: one JSON line each in the file that the first argument names."""

import json
import sys
import traceback


def call(name, run, check, differs=None):
    """
    Calls a tool and checks what it returns.

    :param run: The call.
    :param check: Whether its result is right.
    :param differs: What the tool expects in vain, also of Rucio.
    """
    failure = None
    value = None
    try:
        value = run()
        if not check(value):
            failure = f'{value!r}'
    except Exception:
        failure = traceback.format_exc()
    with open(sys.argv[1], 'a', encoding='utf-8') as results:
        print(json.dumps({'name': name, 'failure': failure, 'differs': differs}), file=results)
    return value


def raises(kind, run):
    """Whether a call raises an exception of this class."""
    try:
        run()
    except kind:
        return True
    return False
