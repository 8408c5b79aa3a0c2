"""A server in a process of its own."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .catalogue import Catalogue
from .node import node_path, program_path

# Ends the server with the process that holds the other end of its standard input, however that ends. A process that was forked
# from it may hold that end too: the parent's id changes nevertheless.
_END_WITH_PARENT = "data:text/javascript," + quote(
    "process.stdin.on('end',()=>process.exit()).resume();"
    "const parent=process.ppid;setInterval(()=>process.ppid===parent||process.exit(),500).unref()"
)

#: Variables of the caller's shell that the server gets. Others could change it, or give it the credentials of a real storage.
_PASSED = re.compile(
    r"PATH|HOME|TMPDIR|TEMP|TMP|TZ|LANG|LC_\w+|LD_LIBRARY_PATH|XDG_CACHE_HOME|POLICY"
    r"|SYSTEMROOT|SYSTEMDRIVE|USERPROFILE|APPDATA|LOCALAPPDATA",
    re.IGNORECASE,
)

_READY = re.compile(r"^ready (\S+)", re.MULTILINE)


class Server(Catalogue):
    """A catalogue in memory on a free port of this machine. Root logs in with the user `ddmlab` and the password `secret`.

    :ivar folder: a folder of its own: the files of RSEs, the configuration of clients, the log. One that nobody has named is
        removed with the server
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, timeout: float = 60) -> None:
        command = [node_path(), "--import", _END_WITH_PARENT, program_path(), "start"]
        self._is_temporary = folder is None
        self.folder = Path(folder or tempfile.mkdtemp(prefix="dapple-")).absolute()
        self.storage = self.folder / "storage"
        self.storage.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "server.log"
        environment = {name: value for name, value in os.environ.items() if _PASSED.fullmatch(name)}
        # Each hash of a password takes 0.1 s otherwise. These passwords protect nothing.
        environment["PASSWORD_ROUNDS"] = "16"
        options = ["--in-memory", "--test-reset", "--no-browser", "--port", "0", "--storage", str(self.storage)]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [*command, *options],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=self.folder,
                # Ctrl-C in a terminal is for the tests, which use the server while they clean up.
                **_of_its_own(),
            )
        try:
            super().__init__(self._wait(timeout))
        except BaseException:
            self.stop()
            raise

    def _wait(self, timeout: float) -> str:
        end = time.monotonic() + timeout
        while True:
            ready = _READY.search(self._said())
            if ready:
                return ready.group(1)
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"The server did not start:\n{self._said()}")
            time.sleep(0.01)

    def _said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def _send(
        self, method: str, path: str, body: Any, headers: dict[str, str]
    ) -> tuple[http.client.HTTPMessage, str]:
        try:
            return super()._send(method, path, body, headers)
        except OSError as error:
            # The sockets of a process that dies are closed before it has a status.
            try:
                status = self._process.wait(1)
            except subprocess.TimeoutExpired:
                raise error from None
            log = self._said() if self.log.exists() else ""
            raise RuntimeError(f"The server has ended with the status {status}:\n{log}") from error

    def reset(self) -> None:
        """Takes the catalogue back to its start, in milliseconds, and removes the files of its RSEs. Tokens of root stay valid."""
        super().reset()
        for folder in self.storage.iterdir():
            shutil.rmtree(folder, ignore_errors=True)
        for token in self.folder.glob("token-*"):
            if token != self.token_path("root"):
                token.unlink()

    def token_path(self, account: str) -> Path:
        """Where Rucio's client keeps its token for an account."""
        return self.folder / f"token-{account}"

    def configuration(self, account: str = "root") -> Path:
        """Writes the configuration with which Rucio's client reaches the server as an account; returns its path."""
        path = self.folder / f"rucio-{account}.cfg"
        username, password = self.logins[account]
        options = {
            "rucio_host": self.url,
            "auth_host": self.url,
            "account": account,
            "auth_type": "userpass",
            "username": username,
            "password": password,
            "auth_token_file_path": self.token_path(account),
            "request_retries": 3,
        }
        # Python's configuration takes a bare % for the beginning of a reference.
        lines = [f"{name} = {str(value).replace('%', '%%')}\n" for name, value in options.items()]
        path.write_text("[client]\n" + "".join(lines))
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
        if self._is_temporary:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _of_its_own() -> dict[str, Any]:
    """What keeps signals of the terminal from the process."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}
