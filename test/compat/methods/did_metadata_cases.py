"""Metadata of DIDs (spec/dids.md 2.15 to 2.19)."""

from datetime import timedelta

from rucio.client.didclient import DIDClient
from rucio.common.exception import (
    AccessDenied,
    DataIdentifierNotFound,
    InvalidMetadata,
    InvalidValueForKey,
    KeyNotFound,
    UnsupportedMetadataPlugin,
    UnsupportedOperation,
)

from .cases import case, equal, has, raises
from .world import World, key, unique

COLUMNS = 42


@case(DIDClient.get_metadata)
def gets(world: World) -> None:
    """returns the 42 columns, the free keys, or both."""
    did = world.dataset()
    columns = world.root.get_metadata(**did)
    equal(len(columns), COLUMNS)
    has(columns, {**did, 'account': 'root', 'did_type': 'DATASET', 'is_open': True, 'project': None, 'hidden': False})
    equal(world.root.get_metadata(**did, plugin='JSON'), {})
    world.root.set_metadata(**did, key='shift', value='night')
    equal(world.root.get_metadata(**did, plugin='JSON'), {'shift': 'night'})
    both = world.root.get_metadata(**did, plugin='ALL')
    equal((len(both), both['shift']), (COLUMNS + 1, 'night'))
    with raises(DataIdentifierNotFound):
        world.root.get_metadata(world.scope, unique('none'))
    with raises(UnsupportedMetadataPlugin):
        world.root.get_metadata(**did, plugin='NONE')


@case(DIDClient.get_metadata_bulk)
def gets_many(world: World) -> None:
    """returns the metadata of the DIDs that exist; with `inherit` also what their parents have."""
    file, none = world.new_file(), {'scope': world.scope, 'name': unique('none')}
    dataset = world.dataset([file])
    world.root.set_metadata(**dataset, key='shift', value='night')
    world.root.set_metadata(**key(file), key='quality', value='good')
    found = list(world.root.get_metadata_bulk([dataset, none]))
    equal([(entry['name'], len(entry)) for entry in found], [(dataset['name'], COLUMNS)])
    equal(list(world.root.get_metadata_bulk([none])), [])
    inherited = list(world.root.get_metadata_bulk([none, key(file)], inherit=True, plugin='JSON'))
    equal(inherited, [none, {**key(file), 'quality': 'good', 'shift': 'night'}])


@case(DIDClient.set_metadata)
def sets(world: World) -> None:
    """sets columns and free keys of any JSON type; keys set one by one coexist."""
    did = world.dataset()
    for name, value in (('project', 'beam24'), ('shift', 'night'), ('tags', ['a', {'b': 1}]), ('shift', 'day')):
        equal(world.root.set_metadata(**did, key=name, value=value), True)
    equal(world.root.get_metadata(**did)['project'], 'beam24')
    equal(world.root.get_metadata(**did, plugin='JSON'), {'shift': 'day', 'tags': ['a', {'b': 1}]})


@case(DIDClient.set_metadata)
def sets_the_lifetime(world: World) -> None:
    """a lifetime sets the expiry, and null takes it away."""
    did = world.dataset()
    world.root.set_metadata(**did, key='lifetime', value=86400)
    found = world.root.get_metadata(**did)
    assert abs(found['expired_at'] - found['updated_at'] - timedelta(days=1)) < timedelta(minutes=1), found
    world.root.set_metadata(**did, key='lifetime', value=None)
    equal(world.root.get_did(**did)['expired_at'], None)


@case(DIDClient.set_metadata)
def reaches_children(world: World) -> None:
    """with `recursive` a column is written to the direct children too."""
    file = world.new_file()
    dataset = world.dataset([file])
    equal(world.root.set_metadata(**dataset, key='campaign', value='mc24', recursive=True), True)
    equal(world.root.get_metadata(**key(file))['campaign'], 'mc24')


@case(DIDClient.set_metadata)
def refuses(world: World) -> None:
    """refuses reserved keys, keys with a dot, wrong values, and callers without permission."""
    did = world.dataset()
    with raises(AccessDenied, 'can not change this metadata value'):
        world.root.set_metadata(**did, key='bytes', value=1)
    with raises(AccessDenied, 'can not add metadata to data identifier'):
        world.user.set_metadata(**did, key='project', value='x')
    with raises(InvalidMetadata, 'Restricted character'):
        world.root.set_metadata(**did, key='a.b', value=1)
    with raises(InvalidValueForKey):
        world.root.set_metadata(**did, key='lifetime', value=[1])
    with raises(DataIdentifierNotFound):
        world.root.set_metadata(world.scope, unique('none'), key='project', value='x')
    with raises(UnsupportedOperation, 'cannot be updated'):
        world.root.set_metadata(**did, key='events', value=5)


@case(DIDClient.set_metadata_bulk)
def sets_many_keys(world: World) -> None:
    """sets several keys of one DID, or none of them."""
    did = world.dataset()
    equal(world.root.set_metadata_bulk(**did, meta={'project': 'beam24', 'shift': 'night'}), True)
    has(world.root.get_metadata(**did, plugin='ALL'), {'project': 'beam24', 'shift': 'night'})
    with raises(AccessDenied):
        world.root.set_metadata_bulk(**did, meta={'project': 'beam25', 'bytes': 1})
    equal(world.root.get_metadata(**did)['project'], 'beam24')


@case(DIDClient.set_dids_metadata_bulk)
def sets_many_dids(world: World) -> None:
    """sets the metadata of several DIDs, all or none."""
    first, second, none = world.dataset(), world.dataset(), {'scope': world.scope, 'name': unique('none')}
    meta = {'project': 'beam24', 'shift': 'night'}
    equal(world.root.set_dids_metadata_bulk([{**did, 'meta': meta} for did in (first, second)]), True)
    for did in (first, second):
        has(world.root.get_metadata(**did, plugin='ALL'), meta)
    with raises(DataIdentifierNotFound):
        world.root.set_dids_metadata_bulk([{**did, 'meta': {'project': 'x'}} for did in (first, none)])
    equal(world.root.get_metadata(**first)['project'], 'beam24')


@case(DIDClient.delete_metadata)
def deletes(world: World) -> None:
    """takes a free key away and leaves the others; an absent key is KeyNotFound."""
    did = world.dataset()
    world.root.set_metadata_bulk(**did, meta={'shift': 'night', 'quality': 'good'})
    equal(world.root.delete_metadata(**did, key='shift'), True)
    equal(world.root.get_metadata(**did, plugin='JSON'), {'quality': 'good'})
    with raises(KeyNotFound):
        world.root.delete_metadata(**did, key='shift')
    with raises(DataIdentifierNotFound):
        world.root.delete_metadata(world.scope, unique('none'), key='shift')
