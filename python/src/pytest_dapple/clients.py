"""Rucio's clients in this process: which server they find."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .server import Server

if TYPE_CHECKING:
    from rucio.client import Client

#: Variables that have precedence over the configuration, and could lead to another account.
_PRECEDING = ("RUCIO_ACCOUNT", "RUCIO_AUTH_TYPE", "RUCIO_VO")
_HERE = "localhost,127.0.0.1,::1"


@contextmanager
def found_by_clients(server: Server, account: str = "root") -> Iterator[None]:
    """Lets Rucio's clients of this process, and of those that it starts, find the server, whatever the environment says."""
    changed = {name: None for name in _PRECEDING}
    # A proxy of the environment does not reach this machine.
    proxies = {name: ",".join(filter(None, (os.environ.get(name), _HERE))) for name in ("no_proxy", "NO_PROXY")}
    before = _set_variables({**changed, **proxies, "RUCIO_CONFIG": str(server.configuration(account))})
    _forget_configuration()
    try:
        yield
    finally:
        _set_variables(before)
        _forget_configuration()


def connect(server: Server, account: str = "root") -> Client:
    """Rucio's client, as an account of the server. It needs the package `rucio-clients`."""
    if account not in server.logins:
        raise ValueError(f"{account} is no account that add_account has made: these are {', '.join(server.logins)}")
    from rucio.client import Client

    username, password = server.logins[account]
    # A client reads the name of the file with its token when it is made; accounts do not share one.
    with found_by_clients(server, account):
        return Client(
            rucio_host=server.url,
            auth_host=server.url,
            account=account,
            auth_type="userpass",
            creds={"username": username, "password": password},
        )


def _set_variables(variables: dict[str, str | None]) -> dict[str, str | None]:
    """Sets variables of the environment, or removes them; returns what they were."""
    before = {name: os.environ.get(name) for name in variables}
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    return before


def _forget_configuration() -> None:
    """Lets the clients read their configuration anew. They keep what they have read first: that of another server, perhaps."""
    config = sys.modules.get("rucio.common.config")
    if config is not None:
        config.clean_cached_config()
