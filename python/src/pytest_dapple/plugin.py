"""The fixtures and markers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .server import Server

if TYPE_CHECKING:
    from rucio.client import Client

MARKERS = (
    "rucio_account(name, password='secret', type='USER', email=None): an account that the test needs",
    "rucio_scope(name, account='root'): a scope that the test needs",
    "rucio_rse(name, **attributes): an RSE in a folder of this machine that the test needs",
    "rucio_example: the test begins with example data, in the scope `example`",
    "rucio_keep: the test begins with what the test before it has left",
)


def pytest_configure(config: pytest.Config) -> None:
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


@pytest.fixture(scope="session")
def _rucio_server_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Starts the server, and lets Rucio's clients of this process find it.

    The clients read their configuration once in a process.
    """
    with Server(tmp_path_factory.mktemp("dapple")) as server:
        before = os.environ.get("RUCIO_CONFIG")
        os.environ["RUCIO_CONFIG"] = str(server.configuration())
        yield server
        if before is None:
            del os.environ["RUCIO_CONFIG"]
        else:
            os.environ["RUCIO_CONFIG"] = before


@pytest.fixture
def rucio_server(request: pytest.FixtureRequest, _rucio_server_process: Server) -> Server:
    """The server of the session, empty but for what the markers of the test ask for."""
    server = _rucio_server_process
    if request.node.get_closest_marker("rucio_keep") is None:
        server.reset()
    # Accounts first: scopes belong to them, and RSEs give them limits.
    _apply(request, "rucio_account", server.add_account)
    _apply(request, "rucio_scope", server.add_scope)
    _apply(request, "rucio_rse", server.add_rse)
    if request.node.get_closest_marker("rucio_example") is not None:
        server.add_example()
    return server


def _apply(request: pytest.FixtureRequest, name: str, act: Any) -> None:
    # Those of the module come before those of the class and the function.
    for mark in reversed(list(request.node.iter_markers(name))):
        act(*mark.args, **mark.kwargs)


@pytest.fixture
def rucio_cfg(rucio_server: Server) -> Path:
    """The configuration with which Rucio's clients reach the server as root. RUCIO_CONFIG names it."""
    return rucio_server.configuration()


@pytest.fixture
def rucio_client(rucio_server: Server, rucio_cfg: Path) -> Client:
    """Rucio's client, as root. It needs the package `rucio-clients`."""
    return connect(rucio_server)


def connect(server: Server, account: str = "root") -> Client:
    """Rucio's client, as an account of the server."""
    from rucio.client import Client
    from rucio.common.config import get_config

    username, password = server.logins[account]
    # A client reads the name of the file with its token when it is made; accounts must not share one.
    get_config().set("client", "auth_token_file_path", str(server.token_path(account)))
    return Client(
        rucio_host=server.url,
        auth_host=server.url,
        account=account,
        auth_type="userpass",
        creds={"username": username, "password": password},
    )
