"""Copies on disk what rules ask for, as whoever moves files does: ``python -m methods.mover SOURCE DESTINATION``."""

import os
import shutil
import sys
from urllib.parse import urlparse

from rucio.client import Client
from rucio.client.requestclient import RequestClient
from rucio.rse import rsemanager


def path_of(pfn: str) -> str:
    """The file that a PFN of the scheme ``file`` names."""
    return urlparse(pfn).path


def main(source: str, destination: str) -> None:
    client = Client()
    settings = rsemanager.get_rse_info(destination)
    wanted = list(RequestClient().list_requests(source, destination, 'Q'))
    for request in wanted:
        did = {'scope': request['scope'], 'name': request['name']}
        (replica,) = client.list_replicas([did], rse_expression=request['source_rse'])
        (taken,) = replica['rses'][source]
        (put,) = rsemanager.lfns2pfns(settings, [did], operation='write').values()
        os.makedirs(os.path.dirname(path_of(put)), exist_ok=True)
        shutil.copyfile(path_of(taken), path_of(put))
        client.update_replicas_states(destination, [{**did, 'state': 'A'}])
    print(len(wanted))


main(*sys.argv[1:])
