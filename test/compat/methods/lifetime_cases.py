"""Exceptions to the lifetime model (spec/access.md 6.5)."""

from datetime import datetime

from rucio.client.lifetimeclient import LifetimeClient
from rucio.common.exception import UnsupportedOperation

from .cases import case, equal, has, raises
from .world import Did, World, key, unique


def ending(world: World) -> Did:
    """A new dataset with an end of life."""
    did = key(world.dataset())
    world.root.set_metadata(**did, key='eol_at', value='2050-01-01')
    return did


@case(LifetimeClient.add_exception)
def adds(world: World) -> None:
    """asks for exceptions for what ends before the cutoff date; without that date it is UnsupportedOperation."""
    world.root.set_config_option('lifetime_model', 'cutoff_date', '2090-01-01')
    did, endless, unknown = ending(world), key(world.dataset()), {'scope': world.scope, 'name': unique('none')}
    added = world.user.add_exception([did, endless, unknown], world.account, '', 'why', datetime(2099, 1, 2))
    equal(list(added['exceptions'].values()), [[{**did, 'did_type': 'DATASET'}]])
    equal(added['not_affected'], [{**endless, 'did_type': 'DATASET'}])
    equal(added['unknown'], [{**unknown, 'did_type': 'DATASET'}])
    world.root.delete_config_option('lifetime_model', 'cutoff_date')
    with raises(UnsupportedOperation, 'Cannot submit exception at that date.'):
        world.user.add_exception([did], world.account, '', 'why', datetime(2099, 1, 2))


@case(LifetimeClient.list_exceptions)
def lists(world: World) -> None:
    """lists the exceptions, a line for each DID."""
    world.root.set_config_option('lifetime_model', 'cutoff_date', '2090-01-01')
    did = ending(world)
    added = world.user.add_exception([did], world.account, 'raw.*', 'why||||7 TB', datetime(2099, 1, 2))
    (found,) = [each for each in world.user.list_exceptions() if each['name'] == did['name']]
    has(
        found,
        {
            **did,
            'id': next(iter(added['exceptions'])),
            'did_type': 'DATASET',
            'account': world.account,
            'pattern': 'raw.*',
            'comments': 'why',
            'state': 'WAITING',
            'expires_at': datetime(2099, 1, 2),
        },
    )
    world.root.delete_config_option('lifetime_model', 'cutoff_date')
