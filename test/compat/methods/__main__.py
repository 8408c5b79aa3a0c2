"""Runs every case and prints what came of it as one JSON document: ``python -m methods``."""

import importlib
import inspect
import json
import os
import pkgutil
import traceback
from typing import Any

from rucio import version
from rucio.client import Client
from rucio.client.accountclient import AccountClient
from rucio.client.baseclient import BaseClient
from rucio.client.configclient import ConfigClient
from rucio.client.credentialclient import CredentialClient
from rucio.client.didclient import DIDClient
from rucio.client.diracclient import DiracClient
from rucio.client.exportclient import ExportClient
from rucio.client.importclient import ImportClient
from rucio.client.lifetimeclient import LifetimeClient
from rucio.client.lockclient import LockClient
from rucio.client.metaconventionsclient import MetaConventionClient
from rucio.client.opendataclient import OpenDataClient
from rucio.client.pingclient import PingClient
from rucio.client.replicaclient import ReplicaClient
from rucio.client.requestclient import RequestClient
from rucio.client.rseclient import RSEClient
from rucio.client.ruleclient import RuleClient
from rucio.client.scopeclient import ScopeClient
from rucio.client.subscriptionclient import SubscriptionClient
from rucio.client.touchclient import TouchClient

from . import __path__ as here
from .cases import Case, cases
from .left_out import left_out
from .world import World

CLIENTS = (
    DIDClient,
    ScopeClient,
    AccountClient,
    RSEClient,
    ReplicaClient,
    RuleClient,
    LockClient,
    RequestClient,
    TouchClient,
    ImportClient,
    ExportClient,
    MetaConventionClient,
    ConfigClient,
    PingClient,
    SubscriptionClient,
    LifetimeClient,
    OpenDataClient,
    DiracClient,
    CredentialClient,
)


def public_methods(client: type[BaseClient]) -> list[str]:
    """The methods that the class itself defines, in alphabetical order."""
    names = [name for name, _ in inspect.getmembers(client, inspect.isfunction) if name in vars(client)]
    return [f'{client.__name__}.{name}' for name in names if not name.startswith('_')]


def run(case: Case, world: World) -> dict[str, Any]:
    error = None
    try:
        case.check(world)
    except Exception as problem:
        error = describe(problem)
    return {'method': case.method, 'rule': case.rule, 'differs': case.differs, 'error': error}


def describe(problem: Exception) -> str:
    """The message and the line of the case that failed."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename.endswith('_cases.py')]
    where = [f'{os.path.basename(frame.filename)}:{frame.lineno}: {frame.line}' for frame in frames]
    return '\n'.join([f'{type(problem).__name__}: {problem}', *where])


def main() -> None:
    for module in pkgutil.iter_modules(here):
        if module.name.endswith('_cases'):
            importlib.import_module(f'.{module.name}', __package__)
    world = World()
    tested = {client.__name__ for client in CLIENTS} | {'Client', 'BaseClient', 'object'}
    print(
        json.dumps(
            {
                'client': f'rucio-clients {version.version_string()}',
                'methods': [method for client in CLIENTS for method in public_methods(client)],
                'otherClients': [client.__name__ for client in Client.__mro__ if client.__name__ not in tested],
                'leftOut': left_out,
                'results': [run(case, world) for case in cases],
            }
        )
    )


main()
