"""The fixtures and markers."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable

import pytest

from .catalogue import RucioError
from .clients import connect, found_by_clients
from .server import Server

if TYPE_CHECKING:
    from rucio.client import Client

__all__ = ["connect"]

#: What each marker makes, in this order: scopes belong to accounts, and RSEs give limits to accounts.
_MAKERS: dict[str, Callable[..., Any]] = {
    "rucio_account": Server.add_account,
    "rucio_scope": Server.add_scope,
    "rucio_rse": Server.add_rse,
    "rucio_example": Server.add_example,
    "rucio_keep": lambda _: None,
}

_MARKERS = {
    "rucio_account": "rucio_account(name, password='secret', type='USER', email=None): an account that the test needs",
    "rucio_scope": "rucio_scope(name, account='root'): a scope that the test needs",
    "rucio_rse": "rucio_rse(name, **attributes): an RSE in a folder of this machine that the test needs",
    "rucio_example": "rucio_example: the test begins with example data, in the scope `example`",
    "rucio_keep": "rucio_keep: the test begins with what the test before it has left",
}


def pytest_configure(config: pytest.Config) -> None:
    for marker in _MARKERS.values():
        config.addinivalue_line("markers", marker)


@pytest.fixture(scope="session")
def rucio_server_of_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of the session as it is: for fixtures of a class, a module, the session. Rucio's clients find it from now on."""
    with Server(tmp_path_factory.mktemp("dapple")) as server, found_by_clients(server):
        yield server


@pytest.fixture
def rucio_server(request: pytest.FixtureRequest, rucio_server_of_session: Server) -> Server:
    """The server of the session, empty but for what the markers of the test ask for."""
    server = rucio_server_of_session
    keeps = request.node.get_closest_marker("rucio_keep") is not None
    if not keeps:
        server.reset()
    for name, make in _MAKERS.items():
        # Those of the module come before those of the class and the function.
        for mark in reversed(list(request.node.iter_markers(name))):
            _apply(mark, make, server, keeps)
    return server


@pytest.fixture(autouse=True)
def _rucio_markers(request: pytest.FixtureRequest) -> None:
    """Lets a marker work in a test that asks for no fixture."""
    if any(request.node.get_closest_marker(name) for name in _MARKERS):
        request.getfixturevalue("rucio_server")


def _apply(mark: pytest.Mark, make: Callable[..., Any], server: Server, keeps: bool) -> None:
    try:
        inspect.signature(make).bind(server, *mark.args, **mark.kwargs)
        make(server, *mark.args, **mark.kwargs)
    except (TypeError, RucioError) as error:
        # What the test before has left is there already.
        if keeps and isinstance(error, RucioError) and error.status == 409:
            return
        given = ", ".join([*map(repr, mark.args), *(f"{name}={value!r}" for name, value in mark.kwargs.items())])
        pytest.fail(f"{mark.name}({given}): {error}\nThe marker is {_MARKERS[mark.name]}", pytrace=False)


@pytest.fixture
def rucio_cfg(rucio_server: Server) -> Path:
    """The configuration with which Rucio's clients reach the server as root. RUCIO_CONFIG names it."""
    return rucio_server.configuration()


@pytest.fixture
def rucio_client(rucio_server: Server) -> Client:
    """Rucio's client, as root. It needs the package `rucio-clients`."""
    return connect(rucio_server)
