"""A server in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

from .catalogue import Catalogue
from .node import node_path, program_path

# Ends the server with the process that holds the other end of its standard input, however that ends.
_END_WITH_PARENT = "data:text/javascript,process.stdin.on('end',()=>process.exit()).resume()"

#: Variables of the caller's shell that would change the server.
_FOREIGN = ("PORT", "TABLE_NAME", "DYNAMODB_ENDPOINT", "ROOT_USERNAME", "ROOT_PASSWORD", "TOKEN_KEY", "NODE_OPTIONS")

_READY = re.compile(r"^ready (\S+)", re.MULTILINE)


class Server(Catalogue):
    """A catalogue in memory on a free port of this machine. Root logs in with the user `ddmlab` and the password `secret`.

    :ivar folder: a folder of its own: the files of RSEs, the configuration of clients, the log
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, timeout: float = 60) -> None:
        self.folder = Path(folder or tempfile.mkdtemp(prefix="dapple-"))
        self.storage = self.folder / "storage"
        self.storage.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "server.log"
        environment = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
        # Each hash of a password takes 0.1 s otherwise. These passwords protect nothing.
        environment["PASSWORD_ROUNDS"] = "16"
        options = ["--in-memory", "--test-reset", "--no-browser", "--port", "0", "--storage", str(self.storage)]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [node_path(), "--import", _END_WITH_PARENT, program_path(), "start", *options],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
            )
        super().__init__(self._wait(timeout))

    def _wait(self, timeout: float) -> str:
        end = time.monotonic() + timeout
        while True:
            ready = _READY.search(self.log.read_text(errors="replace"))
            if ready:
                return ready.group(1)
            if self._process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise RuntimeError(f"The server did not start:\n{self.log.read_text(errors='replace')}")
            time.sleep(0.01)

    def token_path(self, account: str) -> Path:
        """Where Rucio's client keeps its token for an account."""
        return self.folder / f"token-{account}"

    def configuration(self, account: str = "root") -> Path:
        """Writes the configuration with which Rucio's client reaches the server as an account; returns its path."""
        path = self.folder / f"rucio-{account}.cfg"
        username, password = self.logins[account]
        path.write_text(
            f"""[client]
rucio_host = {self.url}
auth_host = {self.url}
account = {account}
auth_type = userpass
username = {username}
password = {password}
auth_token_file_path = {self.token_path(account)}
request_retries = 3
"""
        )
        return path

    def stop(self) -> None:
        """Ends the process. Idempotent."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
