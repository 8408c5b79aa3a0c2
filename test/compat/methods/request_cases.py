"""Copies that rules ask for (spec/access.md 6.6)."""

import time
from typing import Any

from rucio.client.requestclient import RequestClient
from rucio.common.constants import TransferLimitDirection
from rucio.common.exception import AccessDenied, RequestNotFound, RSENotFound

from .cases import case, equal, has, lines, raises
from .world import Did, World, key


def wanted(world: World) -> tuple[str, str, list[Did]]:
    """A source, a destination, and files that a rule wants there."""
    source, destination, files = world.new_rse(), world.new_rse(), [key(world.new_file()) for _ in range(2)]
    world.root.add_replicas(source, [{**did, 'bytes': 9, 'adler32': '0cc737eb'} for did in files])
    world.root.set_account_limit('root', destination, -1, 'local')
    world.root.add_replication_rule(files, 1, destination, activity='Express', priority=4)
    return source, destination, files


@case(RequestClient.list_requests)
def lists(world: World) -> None:
    """lists what is to be copied from an RSE to another, until it is there; for nobody but admins."""
    source, destination, files = wanted(world)
    found = list(world.root.list_requests(source, destination, 'Q'))
    equal(lines(found, 'scope', 'name'), lines(files, 'scope', 'name'))
    has(found[0], {'state': 'QUEUED', 'source_rse': source, 'dest_rse': destination, 'activity': 'Express', 'bytes': 9})
    equal(len(list(world.root.list_requests('*', destination, ['Q', 'S']))), 2)
    equal(list(world.root.list_requests(destination, source, 'Q')), [])
    world.root.update_replicas_states(destination, [{**files[0], 'state': 'A'}])
    equal(lines(world.root.list_requests(source, destination, 'Q'), 'name'), [(files[1]['name'],)])
    with raises(RSENotFound, 'NONE'):
        world.root.list_requests('NONE', destination, 'Q')
    with raises(AccessDenied, f"cannot list requests from RSEs ['{source}'] to RSEs ['{destination}']"):
        world.user.list_requests(source, destination, 'Q')


@case(RequestClient.list_requests_history)
def lists_history(world: World) -> None:
    """lists nothing: of a copy that was made nothing is kept."""
    source, destination, files = wanted(world)
    world.root.update_replicas_states(destination, [{**did, 'state': 'A'} for did in files])
    equal(list(world.root.list_requests_history(source, destination, 'D')), [])


@case(RequestClient.list_request_by_did)
def shows(world: World) -> None:
    """shows the request to copy a file to an RSE, with the RSEs that have the file; an unknown one is told."""
    source, destination, (did, _) = wanted(world)
    found = world.root.list_request_by_did(did['name'], destination, did['scope'])
    has(found, {**did, 'state': 'QUEUED', 'sources': [source], 'source_rse': None, 'dest_rse': destination, 'priority': 4})
    has(found['attributes'], {'activity': 'Express', 'bytes': 9, 'priority': 4})
    with raises(RequestNotFound, f'No request found for DID {did["scope"]}:{did["name"]} at RSE {source}'):
        world.root.list_request_by_did(did['name'], source, did['scope'])


@case(RequestClient.list_request_history_by_did)
def shows_history(world: World) -> None:
    """shows the request of a copy that was made; one that nobody has asked for is told."""
    source, destination, (did, other) = wanted(world)
    with raises(RequestNotFound, f'at RSE {source}'):
        world.root.list_request_history_by_did(other['name'], source, did['scope'])
    world.root.update_replicas_states(destination, [{**did, 'state': 'A'}])
    found = past_request(world, did, destination)
    has(found, {**did, 'state': 'DONE', 'dest_rse': destination})
    has(found['attributes'], {'activity': 'Express', 'bytes': 9, 'priority': 4})


def past_request(world: World, did: Did, rse: str) -> dict[str, Any]:
    """Waits for a copy to be in the history."""
    for _ in range(300):
        try:
            return world.root.list_request_history_by_did(did['name'], rse, did['scope'])
        except RequestNotFound:
            time.sleep(0.1)
    raise AssertionError(f'{did} is not in the history')


def limits(world: World, rse: str) -> list[tuple[Any, ...]]:
    """The transfer limits of an RSE."""
    found = [line for line in world.root.list_transfer_limits() if line['rse_expression'] == rse]
    return lines(found, 'activity', 'direction', 'max_transfers', 'volume')


@case(RequestClient.list_transfer_limits)
def lists_limits(world: World) -> None:
    """lists the limits of all RSE expressions."""
    rse = world.new_rse()
    equal(limits(world, rse), [])
    world.root.set_transfer_limit(rse, max_transfers=1)
    equal(limits(world, rse), [('all_activities', 'DESTINATION', 1, 0)])


@case(RequestClient.set_transfer_limit)
def sets_limit(world: World) -> None:
    """sets a limit and changes it; not for everybody."""
    rse = world.new_rse()
    for volume in (1, 2):
        equal(world.root.set_transfer_limit(rse, 'Express', TransferLimitDirection.SOURCE, 5, volume), True)
        equal(limits(world, rse), [('Express', 'SOURCE', 5, volume)])
    with raises(AccessDenied):
        world.user.set_transfer_limit(rse, max_transfers=1)


@case(RequestClient.delete_transfer_limit)
def deletes_limit(world: World) -> None:
    """takes a limit away; one that is unknown is none."""
    rse = world.new_rse()
    world.root.set_transfer_limit(rse, max_transfers=1)
    for _ in range(2):
        equal(world.root.delete_transfer_limit(rse), True)
        equal(limits(world, rse), [])
