"""A plugin of pytest: Rucio's own tests, unmodified, on the server of pytest-dapple. The folder's README says how to run it.

Tests that call Rucio's core or database in their own process end with `NeedsRucioDatabase`.
"""

import configparser
import os
import subprocess
import sys
import types
from pathlib import Path

import flask
import pytest
import requests

from pytest_dapple import Server

#: Where Rucio's repository is: its tests, and the RSEs and metadata of its test environment.
CHECKOUT = Path.cwd()
HOP_BY_HOP = {"transfer-encoding", "content-encoding", "content-length", "connection", "keep-alive"}

# Rucio's tests prepare what they need by the clients then.
os.environ.update(SUITE="client", RUCIO_CLIENT_MODE="1")


class NeedsRucioDatabase(Exception):
    """A test wants the database of Rucio in its own process."""


def pytest_configure(config):
    server = config._dapple = Server()
    path = server.folder / "etc" / "rucio.cfg"
    path.parent.mkdir()
    path.write_text(configuration(server))
    os.environ.update(RUCIO_CONFIG=str(path), RUCIO_HOME=str(server.folder))
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    prepare(server)
    # Tests of the REST interface call Rucio's application in their own process.
    sys.modules["rucio.web.rest.flaskapi.v1.main"] = types.SimpleNamespace(application=forward_to(server.url))


def pytest_unconfigure(config):
    config._dapple.stop()


@pytest.fixture(scope="session", autouse=True)
def _no_database():
    from rucio.db.sqla import session

    def refuse(*_, **__):
        raise NeedsRucioDatabase

    session.get_session = session.get_engine = refuse


def configuration(server):
    """The configuration of Rucio's test environment, for this server and without other services."""
    parser = configparser.RawConfigParser()
    parser.read(CHECKOUT / "etc/docker/test/extra/rucio_default.cfg")
    for section in ("client", "database", "policy"):
        parser.remove_section(section)
    parser.read(server.configuration())
    parser.read_dict(
        {
            "common": {"logdir": server.folder},
            "database": {"default": "sqlite://"},
            "monitor": {"carbon_server": "localhost"},
            "policy": {"permission": "generic", "schema": "generic", "lfn2pfn_algorithm_default": "hash"},
            "trace": {"tracedir": server.folder},
            "nongrid-trace": {"tracedir": server.folder},
        }
    )
    return "".join(
        f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in parser.items(section)) for section in parser.sections()
    )


def prepare(server):
    """Makes what Rucio's test environment has: `tools/bootstrap_tests.py` does it by the database."""
    for account in ("jdoe", "panda"):
        server.add_account(account, type="SERVICE")
    for account in ("root", "panda"):
        server.request("POST", f"/accounts/{account}/attr/admin", {"key": "admin", "value": "true"})
    for scope, account in (("mock", "jdoe"), ("archive", "root"), ("test", "root")):
        server.add_scope(scope, account)
    for identity, kind in (("/CN=Rucio User", "X509"), ("CN=docker client", "X509"), ("rucio-dev@CERN.CH", "GSS")):
        body = {"identity": identity, "authtype": kind, "email": "rucio-dev@cern.ch"}
        server.request("POST", "/accounts/root/identities", body)
    for tool in ("sync_rses.py", "sync_meta.py"):
        subprocess.run([sys.executable, CHECKOUT / "tools" / tool], cwd=CHECKOUT, check=True)


def forward_to(url):
    """A Flask application that sends each request to the server."""
    application = flask.Flask("rucio")
    session = requests.Session()
    session.trust_env = False
    methods = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"]

    @application.route("/", defaults={"path": ""}, methods=methods)
    @application.route("/<path:path>", methods=methods)
    def forward(path):
        request = flask.request
        headers = {name: value for name, value in request.headers if name.lower() not in ("host", "content-length")}
        target = url + request.environ["REQUEST_URI"]
        answer = session.request(request.method, target, headers=headers, data=request.get_data(), allow_redirects=False)
        kept = [(name, value) for name, value in answer.headers.items() if name.lower() not in HOP_BY_HOP]
        return flask.Response(answer.content, answer.status_code, kept)

    return application
