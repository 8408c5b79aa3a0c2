"""Copies the files that rules ask for from one RSE to another, once: ``python3 mover.py SOURCE DESTINATION``.

Both RSEs need the protocol ``file`` and a folder on this machine. It uses the client configuration of root or of an admin,
reports the result for each file, and prints it. A mover in production repeats this, and leaves the copying to its transfer
service.
"""

import os
import shutil
import sys
from typing import Any
from urllib.parse import urlparse

from rucio.client import Client
from rucio.client.requestclient import RequestClient
from rucio.rse import rsemanager


def copy(client: Client, request: dict[str, Any], settings: dict[str, Any]) -> None:
    """Copies the file of a request. The copy gets its final name when it is complete."""
    did = {'scope': request['scope'], 'name': request['name']}
    source = request['source_rse']
    (replica,) = client.list_replicas([did], rse_expression=source)
    (taken,) = replica['rses'][source]
    (put,) = rsemanager.lfns2pfns(settings, [did], operation='write').values()
    path = urlparse(put).path
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copyfile(urlparse(taken).path, f'{path}.part')
    os.rename(f'{path}.part', path)


def main(source: str, destination: str) -> None:
    """Copies all files that are queued for the destination and have a replica on the source."""
    client = Client()
    settings = rsemanager.get_rse_info(destination)
    for request in list(RequestClient().list_requests(source, destination, ['Q'])):
        result = {'scope': request['scope'], 'name': request['name'], 'state': 'A'}
        try:
            copy(client, request, settings)
        except OSError as error:
            result |= {'state': 'U', 'error_message': str(error)}
        client.update_replicas_states(destination, [result])
        print(f"{request['scope']}:{request['name']}", result.get('error_message', 'copied'))


if __name__ == '__main__':
    main(*sys.argv[1:])
