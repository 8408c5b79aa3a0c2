"""The command `dapple`: the program of the npm package, run by the Node.js of a wheel."""

from __future__ import annotations

import os
import subprocess
import sys

from .node import node_path, program_path


def main() -> int:
    command = [node_path(), program_path(), *sys.argv[1:]]
    if sys.platform == "win32":
        return subprocess.call(command)
    os.execv(command[0], command)
    return 1


if __name__ == "__main__":
    sys.exit(main())
