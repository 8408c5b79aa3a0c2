"""Metadata conventions (spec/dids.md 2.29) and ping."""

from rucio.client import Client
from rucio.client.metaconventionsclient import MetaConventionClient
from rucio.client.pingclient import PingClient
from rucio.common.exception import (
    AccessDenied,
    Duplicate,
    InvalidValueForKey,
    KeyNotFound,
    UnsupportedKeyType,
    UnsupportedValueType,
)

from .cases import case, equal, raises
from .world import World, unique

KEY_TYPES = ('ALL', 'COLLECTION', 'CONTAINER', 'DATASET', 'FILE', 'DERIVED', 'F', 'D', 'C')


@case(MetaConventionClient.add_key)
def adds_keys(world: World) -> None:
    """registers a key of every type; twice is Duplicate."""
    keys = {kind: unique('key') for kind in KEY_TYPES}
    for kind, name in keys.items():
        equal(world.root.add_key(name, kind), True)
    assert set(keys.values()) <= set(world.root.list_keys() or [])
    with raises(Duplicate, f"key '{keys['ALL']}' already exists!"):
        world.root.add_key(keys['ALL'], 'ALL')


@case(MetaConventionClient.add_key)
def refuses_keys(world: World) -> None:
    """refuses unknown types of keys and values, and callers without permission."""
    with raises(UnsupportedKeyType, "The type 'ANY' is not supported for keys!"):
        world.root.add_key(unique('key'), 'ANY')
    with raises(UnsupportedValueType):
        world.root.add_key(unique('key'), 'ALL', value_type='date')
    with raises(AccessDenied):
        world.user.add_key(unique('key'), 'ALL')


@case(MetaConventionClient.list_keys)
def lists_keys(world: World) -> None:
    """lists the names of the keys."""
    name = unique('key')
    world.root.add_key(name, 'ALL')
    assert name in (world.root.list_keys() or [])


@case(MetaConventionClient.add_value)
def adds_values(world: World) -> None:
    """registers values that fit type and pattern of their key."""
    typed, matched = unique('key'), unique('key')
    world.root.add_key(typed, 'ALL', value_type=str(str))
    world.root.add_key(matched, 'ALL', value_regexp=r'^\d{8}$')
    equal(world.root.add_value(typed, 'text'), True)
    equal(world.root.add_value(matched, '22345678'), True)
    with raises(Duplicate, f"key-value '{typed}-text' already exists!"):
        world.root.add_value(typed, 'text')
    with raises(InvalidValueForKey):
        world.root.add_value(typed, 1234)
    with raises(InvalidValueForKey, 'does not match the regular expression'):
        world.root.add_value(matched, 'Nimportnawak')
    with raises(AccessDenied):
        world.user.add_value(typed, 'more')


@case(MetaConventionClient.add_value, differs='a value of an unknown key is KeyNotFound; Rucio answers RucioException')
def needs_the_key(world: World) -> None:
    """an unknown key is KeyNotFound."""
    with raises(KeyNotFound):
        world.root.add_value(unique('none'), 'value')


@case(MetaConventionClient.list_values)
def lists_values(world: World) -> None:
    """lists the values of a key, of an unknown one none."""
    name = unique('key')
    world.root.add_key(name, 'ALL')
    for value in ('AOD', 'HITS'):
        world.root.add_value(name, value)
    equal(sorted(world.root.list_values(name) or []), ['AOD', 'HITS'])
    equal(world.root.list_values(unique('none')), [])


@case(MetaConventionClient.del_value)
def deletes_no_value(world: World) -> None:
    """does nothing in the client itself."""
    equal(world.root.del_value('key', 'value'), None)


@case(MetaConventionClient.del_key)
def deletes_no_key(world: World) -> None:
    """does nothing in the client itself."""
    equal(world.root.del_key('key'), None)


@case(MetaConventionClient.update_key)
def updates_no_key(world: World) -> None:
    """does nothing in the client itself."""
    equal(world.root.update_key('key'), None)


@case(PingClient.ping)
def pings(world: World) -> None:
    """names the version of the service, in a client of its own too."""
    equal(sorted(world.root.ping()), ['version'])
    equal(PingClient().ping(), Client().ping())
