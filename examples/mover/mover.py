"""Copies the files that rules ask for to an RSE, until nothing is due: ``python3 mover.py DESTINATION``.

Both ends need the protocol ``file`` and a folder on this machine. It uses the client configuration of an account with the
attribute ``mover``, and prints the result for each file. Any number of movers may run at once: a lease gives each file to one.
"""

import os
import shutil
import socket
import sys
from typing import Any
from urllib.parse import urlparse

from rucio.client.baseclient import BaseClient
from rucio.common.checksum import adler32


def copy(transfer: dict[str, Any]) -> dict[str, Any]:
    """Copies a file from its best source, and returns what to report. The copy gets its name once its content was compared."""
    report = {key: transfer[key] for key in ('scope', 'name', 'lease')}
    path = urlparse(transfer['dest_url']).path
    source, part = urlparse(transfer['sources'][0]['url']).path, f'{path}.{transfer["lease"]}.part'
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(source, part)
        checked = {'bytes': os.path.getsize(part), 'adler32': adler32(part)}
        if checked['adler32'] != (transfer['adler32'] or adler32(source)):
            os.remove(part)
            return report | {'state': 'FAILED', 'err_msg': f'the copy has the adler32 {checked["adler32"]}'}
        if transfer['overwrite']:
            os.replace(part, path)
        else:
            os.link(part, path)  # Fails if there is a file of that name.
            os.remove(part)
        return report | checked | {'state': 'DONE'}
    except OSError as error:
        return report | {'state': 'FAILED', 'err_msg': str(error)}


def main(destination: str) -> None:
    """Leases, copies and reports."""
    client = BaseClient()

    def post(path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        answer = client.session.post(f'{client.host}{path}', json=body, headers={'X-Rucio-Auth-Token': client.auth_token})
        answer.raise_for_status()
        return answer.json()

    wish = {'holder': f'{socket.gethostname()} {os.getpid()}', 'dst_rse': destination, 'schemes': ['file'], 'limit': 10}
    while leased := post('/requests/lease', wish):
        for result in post('/requests/report', {'rse': destination, 'requests': [copy(one) for one in leased]}):
            print(f"{result['scope']}:{result['name']}", result['err_msg'] or 'copied')


if __name__ == '__main__':
    main(sys.argv[1])
