"""Sessions of pytest of their own: a foreign environment, several at once, wrong markers, interruptions."""

import os
import signal
import subprocess
import sys
import time

import pytest

from test_fixtures import wait_for_the_end

pytest_plugins = ["pytester"]

#: What a shell may hold. Each would lead to another server, to another account, or change the server.
FOREIGN = {
    "RUCIO_CONFIG": "/nowhere/rucio.cfg",
    "RUCIO_ACCOUNT": "nobody",
    "RUCIO_AUTH_TYPE": "x509",
    "http_proxy": "http://localhost:1",
    "HTTP_PROXY": "http://localhost:1",
    "no_proxy": "example.org",
    "PORT": "1",
    "TABLE_NAME": "another",
    "AWS_ENDPOINT_URL_DYNAMODB": "http://localhost:1",
    "RSE_CREDENTIALS_FILE": "/nowhere",
    "LOCAL_LOGIN": "nonsense",
    "NODE_OPTIONS": "--nonsense",
}

IN_A_FOREIGN_ENVIRONMENT = """
import asyncio, os, threading, unittest
import pytest
from rucio.client import Client
from rucio.client.downloadclient import DownloadClient
from rucio.client.uploadclient import UploadClient
from rucio.common.config import config_get
from pytest_dapple.plugin import connect

# Read while tests are collected, before there is a server.
BEFORE = config_get("client", "rucio_host")


def test_the_clients_find_this_server(rucio_server):
    assert BEFORE == "https://real.example.org"
    assert config_get("client", "rucio_host") == rucio_server.url
    assert Client().whoami()["account"] == "root"


@pytest.mark.rucio_scope("lab")
def test_a_marker_needs_no_fixture():
    assert list(Client().list_scopes()) == ["lab"]


@pytest.mark.rucio_scope(name="lab")
@pytest.mark.rucio_rse(name="DISK")
def test_files_in_any_folder(rucio_client, tmp_path):
    (tmp_path / "file.txt").write_text("measured")
    item = {"path": str(tmp_path / "file.txt"), "rse": "DISK", "did_scope": "lab", "did_name": "file.txt"}
    assert UploadClient(rucio_client).upload([item]) == 0
    DownloadClient(rucio_client).download_dids([{"did": "lab:file.txt", "base_dir": str(tmp_path / "got")}])
    assert (tmp_path / "got" / "lab" / "file.txt").read_text() == "measured"


@pytest.mark.rucio_scope("lab")
class TestOfUnittest(unittest.TestCase):
    def test_it(self):
        assert Client().add_dataset("lab", "run")


@pytest.fixture(scope="module")
def dataset(rucio_server_of_session):
    rucio_server_of_session.reset()
    rucio_server_of_session.add_scope("of.module")
    connect(rucio_server_of_session).add_dataset("of.module", "shared")


@pytest.mark.rucio_keep
@pytest.mark.rucio_scope("of.module")
@pytest.mark.parametrize("time", [1, 2])
def test_a_fixture_of_the_module_fills_it(dataset, rucio_client, time):
    assert rucio_client.get_did("of.module", "shared")["type"] == "DATASET"


def test_in_an_event_loop(rucio_client):
    async def ask():
        return await asyncio.gather(*(asyncio.to_thread(rucio_client.ping) for _ in range(5)))

    assert len(asyncio.run(ask())) == 5


def test_a_thread_is_left(rucio_client):
    def ask():
        while True:
            rucio_client.ping()

    threading.Thread(target=ask, daemon=True).start()


def test_after_a_thread_was_left(rucio_client):
    assert list(rucio_client.list_scopes()) == []
"""


def test_whatever_the_environment_holds_two_workers_have_servers_of_their_own(pytester):
    home = pytester.mkdir("home")
    (home / "etc").mkdir()
    (home / "etc" / "rucio.cfg").write_text("[client]\nrucio_host = https://real.example.org\n")
    home.chmod(0o555)
    pytester.makepyfile(test_one=IN_A_FOREIGN_ENVIRONMENT, test_two=IN_A_FOREIGN_ENVIRONMENT)
    environment = {**os.environ, **FOREIGN, "HOME": str(home), "RUCIO_HOME": str(home)}
    environment["RUCIO_CONFIG"] = str(home / "etc" / "rucio.cfg")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--basetemp", "of 50% {x} é", "-n", "2"]
    told = subprocess.run(
        [*command, "--dist", "loadfile"], cwd=pytester.path, env=environment, capture_output=True, text=True, check=False
    )
    assert "18 passed" in told.stdout.splitlines()[-1], told.stdout + told.stderr


def test_a_wrong_marker_says_what_is_right(pytester):
    marks = [
        'rucio_scope("lab", "root", "more")',
        "rucio_rse",
        'rucio_rse(["A", "B"])',
        'rucio_rse("../A")',
        'rucio_scope("lab", "nobody")',
        'rucio_account("alice", kind="USER")',
        "rucio_example(1)",
        "rucio_keep(1)",
    ]
    tests = "".join(f"@pytest.mark.{mark}\ndef test_{index}(): pass\n" for index, mark in enumerate(marks))
    pytester.makepyfile("import pytest\n" + tests)
    outcome = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--strict-markers")
    outcome.assert_outcomes(errors=len(marks))
    outcome.stdout.fnmatch_lines(
        [
            "rucio_scope('lab', 'root', 'more'): too many positional arguments",
            "The marker is rucio_scope(name, account='root'): a scope that the test needs",
            "rucio_rse(): missing a required argument: 'name'",
            "The marker is rucio_rse(name, [*][*]attributes)*",
            "rucio_rse(['A', 'B']): a name is a text, not ['A', 'B']",
            "rucio_rse('../A'): 400 *",
            "rucio_scope('lab', 'nobody'): 404 *AccountNotFound*",
            "rucio_account('alice', kind='USER'): got an unexpected keyword argument 'kind'",
            "rucio_example(1): too many positional arguments",
            "rucio_keep(1): too many positional arguments",
        ]
    )


@pytest.mark.parametrize("kill", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_session_ends_its_server(pytester, kill):
    pytester.makepyfile(
        """
        import pathlib, time
        import pytest

        @pytest.fixture
        def made(rucio_server):
            yield rucio_server
            rucio_server.reset()
            pathlib.Path("cleaned").touch()

        def test_it(made):
            pathlib.Path("url.new").write_text(made.url)
            pathlib.Path("url.new").rename("url")
            time.sleep(60)
        """
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    with subprocess.Popen(command, cwd=pytester.path, start_new_session=True, stdout=subprocess.PIPE) as session:
        end = time.monotonic() + 60
        while not (pytester.path / "url").exists():
            assert session.poll() is None and time.monotonic() < end
            time.sleep(0.05)
        # As a terminal does it: to the whole group.
        os.killpg(session.pid, kill)
        session.communicate()
    wait_for_the_end((pytester.path / "url").read_text())
    # What tests clean up after Ctrl-C, they clean up in the server.
    assert (pytester.path / "cleaned").exists() == (kill == signal.SIGINT)
