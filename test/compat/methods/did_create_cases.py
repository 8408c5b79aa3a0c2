"""Creating DIDs (spec/dids.md 2.1, 2.2)."""

from datetime import UTC, datetime, timedelta

from rucio.client.didclient import DIDClient
from rucio.common.exception import (
    AccessDenied,
    DataIdentifierAlreadyExists,
    DataIdentifierNotFound,
    InvalidObject,
    RSENotFound,
    ScopeNotFound,
    UnsupportedOperation,
)

from .cases import case, equal, has, lines, raises
from .world import World, key, pairs, unique


@case(DIDClient.add_did)
def creates(world: World) -> None:
    """creates an open dataset with its statuses and its lifetime."""
    did = {'scope': world.scope, 'name': unique('dataset')}
    before = datetime.now(UTC).replace(tzinfo=None, microsecond=0)
    equal(world.root.add_did(**did, did_type='DATASET', statuses={'monotonic': True}, lifetime=86400), True)
    found = world.root.get_did(**did)
    has(found, {**did, 'type': 'DATASET', 'account': 'root', 'open': True, 'monotonic': True})
    assert timedelta(0) <= found['expired_at'] - before - timedelta(days=1) < timedelta(minutes=5), found


@case(DIDClient.add_did)
def creates_with_content(world: World) -> None:
    """registers new files at an RSE and attaches them in the same request."""
    did = {'scope': world.scope, 'name': unique('dataset')}
    files = world.new_files(2)
    equal(world.root.add_did(**did, did_type='DATASET', dids=files, rse=world.rse), True)
    equal(lines(world.root.list_content(**did), 'scope', 'name'), pairs(*files))


@case(DIDClient.add_did)
def refuses(world: World) -> None:
    """every reason to refuse arrives as Rucio's exception."""
    did = world.dataset()
    with raises(DataIdentifierAlreadyExists, 'Data Identifier already exists!'):
        world.root.add_did(**did, did_type='CONTAINER')
    with raises(ScopeNotFound, 'Scope not found!'):
        world.root.add_did(unique('none'), 'name', 'DATASET')
    with raises(InvalidObject):
        world.root.add_did(world.scope, 'a name', 'DATASET')
    with raises(UnsupportedOperation):
        world.root.add_did(world.scope, unique('file'), 'FILE')
    with raises(RSENotFound):
        world.root.add_did(
            world.scope, unique('dataset'), 'DATASET', dids=world.new_files(1), rse=unique('none').upper()
        )
    with raises(AccessDenied, f'can not add data identifier to scope {world.scope}'):
        world.user.add_did(world.scope, unique('dataset'), 'DATASET')


@case(DIDClient.add_dids)
def adds_in_bulk(world: World) -> None:
    """creates all of them, or none when one exists."""
    new = [{'scope': world.scope, 'name': unique('bulk'), 'type': kind} for kind in ('DATASET', 'CONTAINER')]
    equal(world.root.add_dids(new), True)
    equal([world.root.get_did(**key(did))['type'] for did in new], ['DATASET', 'CONTAINER'])
    fresh = {'scope': world.scope, 'name': unique('bulk'), 'type': 'DATASET'}
    with raises(DataIdentifierAlreadyExists):
        world.root.add_dids([fresh, new[0]])
    with raises(DataIdentifierNotFound):
        world.root.get_did(**key(fresh))


@case(DIDClient.add_dataset)
def adds_a_dataset(world: World) -> None:
    """creates a dataset; with unknown files and no RSE nothing is left behind."""
    did = {'scope': world.user_scope, 'name': unique('dataset')}
    equal(world.user.add_dataset(**did, meta={'project': 'beam24'}), True)
    has(world.user.get_did(**did), {'type': 'DATASET', 'account': world.account, 'length': 0, 'bytes': 0})
    lost = {'scope': world.scope, 'name': unique('dataset')}
    with raises(DataIdentifierNotFound):
        world.root.add_dataset(**lost, files=world.new_files(2))
    with raises(DataIdentifierNotFound, f"Data identifier '{world.scope}:{lost['name']}' not found"):
        world.root.get_did(**lost)


@case(DIDClient.add_datasets)
def adds_datasets(world: World) -> None:
    """creates 500 datasets with owner and metadata in one request."""
    name = unique('many')
    meta = {'project': 'data13_hip', 'run_number': 300000}
    new = [{'scope': world.scope, 'name': f'{name}.{i}', 'account': world.account, 'meta': meta} for i in range(500)]
    equal(world.root.add_datasets(new), True)
    for did in (new[0], new[499]):
        has(world.root.get_did(**key(did)), {'type': 'DATASET', 'account': world.account})


@case(DIDClient.add_container)
def adds_a_container(world: World) -> None:
    """creates a container."""
    did = {'scope': world.scope, 'name': unique('container')}
    equal(world.root.add_container(**did, statuses={'monotonic': False}), True)
    has(world.root.get_did(**did), {'type': 'CONTAINER', 'monotonic': False, 'expired_at': None})


@case(DIDClient.add_containers)
def adds_containers(world: World) -> None:
    """creates containers in bulk; a key `rse` does not matter."""
    new = [{'scope': world.scope, 'name': unique('container'), 'rse': world.rse} for _ in range(2)]
    equal(world.root.add_containers(new), True)
    equal([world.root.get_did(**key(did))['type'] for did in new], ['CONTAINER'] * 2)


@case(DIDClient.create_did_sample)
def samples(world: World) -> None:
    """puts as many files of a collection as asked for into a new dataset."""
    source = world.dataset(world.new_files(5))
    name = unique('sample')
    equal(world.root.create_did_sample(source['scope'], source['name'], world.scope, name, 2), True)
    sample = lines(world.root.list_files(world.scope, name), 'scope', 'name')
    equal(len(sample), 2)
    assert set(sample) < set(lines(world.root.list_files(**source), 'scope', 'name'))
    with raises(DataIdentifierAlreadyExists):
        world.root.create_did_sample(source['scope'], source['name'], world.scope, name, 2)
    with raises(DataIdentifierNotFound):
        world.root.create_did_sample(world.scope, unique('none'), world.scope, unique('sample'), 2)


@case(DIDClient.resurrect)
def resurrects(world: World) -> None:
    """takes the expiry from an expired DID; others are DataIdentifierNotFound, and only admins may."""
    did = {'scope': world.scope, 'name': unique('expired')}
    world.root.add_dataset(**did, lifetime=-86400)
    assert world.root.get_did(**did)['expired_at'] is not None
    with raises(AccessDenied):
        world.user.resurrect([did])
    equal(world.root.resurrect([did]), True)
    equal(world.root.get_did(**did)['expired_at'], None)
    with raises(DataIdentifierNotFound):
        world.root.resurrect([{'scope': world.scope, 'name': unique('none')}])
