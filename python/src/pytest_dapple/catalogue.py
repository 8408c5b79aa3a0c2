"""Requests to a server, with which tests fill it."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import quote

_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class RucioError(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status} {text}")
        self.status = status


class Catalogue:
    """The interface of a server, as root.

    :ivar url: the URL, such as `http://localhost:41883`
    :ivar logins: user name and password by account
    """

    storage: Path

    def __init__(self, url: str) -> None:
        self.url = url
        self.logins = {"root": ("ddmlab", "secret")}
        self._token = ""

    def request(self, method: str, path: str, body: Any = None) -> str:
        """Sends a request as root.

        :returns: the text of the answer
        :raises RucioError: if the answer is an error
        """
        if self._token:
            try:
                return self._send(method, path, body, {"X-Rucio-Auth-Token": self._token})[1]
            except RucioError as error:
                # Tokens end after an hour, which a long session outlives.
                if error.status != 401:
                    raise
        self._token = self._log_in("root")
        return self._send(method, path, body, {"X-Rucio-Auth-Token": self._token})[1]

    def _send(
        self, method: str, path: str, body: Any, headers: dict[str, str]
    ) -> tuple[http.client.HTTPMessage, str]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method, headers=headers)
        try:
            with _DIRECT.open(request, timeout=60) as answer:
                return answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                raise RucioError(error.code, error.read().decode()) from None

    def _log_in(self, account: str) -> str:
        username, password = self.logins[account]
        headers = {"X-Rucio-Account": account, "X-Rucio-Username": username, "X-Rucio-Password": password}
        return self._send("GET", "/auth/userpass", None, headers)[0]["X-Rucio-Auth-Token"]

    def reset(self) -> None:
        """Takes the catalogue back to its start, in milliseconds; files on storage stay. Tokens of root stay valid."""
        self._send("POST", "/test/reset", None, {"X-Dapple-Reset": "yes"})
        self.logins = {"root": self.logins["root"]}

    def add_account(self, name: str, password: str = "secret", type: str = "USER", email: str | None = None) -> None:
        """Adds an account that logs in with its own name and a password."""
        email = email or f"{name}@example.org"
        self.request("POST", f"/accounts/{_segment(name)}", {"type": type, "email": email})
        identity = {"identity": name, "authtype": "USERPASS", "email": email, "password": password, "default": True}
        self.request("POST", f"/accounts/{_segment(name)}/identities", identity)
        self.logins[name] = (name, password)

    def add_scope(self, name: str, account: str = "root") -> None:
        """Adds a scope of an account."""
        self.request("POST", f"/scopes/{_segment(account)}/{_segment(name)}")

    def add_rse(self, name: str, **attributes: Any) -> Path:
        """Adds an RSE whose files lie in a folder of this machine: clients can upload and download, rules are copied.

        Every account of the catalogue may use it without a limit.

        :returns: the folder
        """
        rse = _segment(name)
        self.request("POST", f"/rses/{rse}", {"deterministic": True})
        folder = self.storage / name
        folder.mkdir(exist_ok=True)
        domain = {"read": 1, "write": 1, "delete": 1, "third_party_copy_read": 1, "third_party_copy_write": 1}
        protocol = {
            "hostname": "localhost",
            "port": 0,
            "prefix": f"{folder}/",
            "impl": "rucio.rse.protocols.posix.Default",
            "domains": {"lan": {key: domain[key] for key in ("read", "write", "delete")}, "wan": domain},
        }
        self.request("POST", f"/rses/{rse}/protocols/file", protocol)
        for key, value in {"mover": "posix", **attributes}.items():
            self.request("POST", f"/rses/{rse}/attr/{_segment(key)}", {"value": value})
        for account in self.logins:
            self.request("POST", f"/accounts/{_segment(account)}/limits/local/{rse}", {"bytes": -1})
        return folder

    def add_example(self) -> None:
        """Fills the scope `example`: three RSEs, two datasets with metadata and six files each, a container, rules."""
        self.add_scope("example")
        for rse, attributes in (
            ("CERN_DISK", {"tier": "0", "country": "CH"}),
            ("LYON_DISK", {"tier": "1", "country": "FR"}),
            ("PRAGUE_DISK", {"tier": "2", "country": "CZ"}),
        ):
            self.add_rse(rse, **attributes)
        for run in (358031, 358032):
            name = f"data.{run}.RAW"
            files = [
                {"scope": "example", "name": f"{name}.{part}", "bytes": 1_000_000 + part, "adler32": f"{run + part:08x}"}
                for part in range(1, 7)
            ]
            meta = {"run_number": run, "datatype": "RAW", "campaign": "beam26-spring"}
            dataset = {"type": "DATASET", "rse": "CERN_DISK", "meta": meta, "dids": files}
            self.request("POST", f"/dids/example/{name}", dataset)
        children = [{"scope": "example", "name": f"data.{run}.RAW"} for run in (358031, 358032)]
        self.request("POST", "/dids/example/data.RAW", {"type": "CONTAINER", "dids": children})
        rule = {"dids": [{"scope": "example", "name": "data.RAW"}], "account": "root", "copies": 1}
        self.request("POST", "/rules/", {**rule, "rse_expression": "tier=0"})


def _segment(name: str) -> str:
    """A name as a part of a path."""
    if not isinstance(name, str):
        raise TypeError(f"a name is a text, not {name!r}")
    return quote(name, safe="")
