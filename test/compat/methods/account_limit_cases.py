"""Limits and usage of accounts (spec/access.md 2.4)."""

from math import inf

from rucio.client.accountclient import AccountClient
from rucio.common.exception import AccessDenied, RSENotFound, UnsupportedOperation

from .cases import case, equal, has, raises
from .world import World, unique


@case(AccountClient.set_account_limit)
def sets(world: World) -> None:
    """sets a local or a global limit; other localities are refused by the client itself."""
    account = world.new_account()
    for locality in ('local', 'global'):
        equal(world.root.set_account_limit(account, world.rse, 1000, locality), True)
        equal(world.root.get_account_limits(account, world.rse, locality), {world.rse: 1000})
    with raises(UnsupportedOperation):
        world.root.set_account_limit(account, world.rse, 1000, 'everywhere')


@case(AccountClient.get_account_limits)
def gets(world: World) -> None:
    """returns the limit at one RSE, none if there is none."""
    equal(world.root.get_account_limits(world.account, world.rse, 'local'), {world.rse: None})
    world.root.set_account_limit(world.account, world.rse, 1000, 'local')
    equal(world.root.get_account_limits(world.account, world.rse, 'local'), {world.rse: 1000})


@case(AccountClient.delete_account_limit)
def deletes(world: World) -> None:
    """takes a limit away."""
    account = world.new_account()
    for locality in ('local', 'global'):
        world.root.set_account_limit(account, world.rse, 1000, locality)
        equal(world.root.delete_account_limit(account, world.rse, locality), True)
        equal(world.root.get_account_limits(account, world.rse, locality), {world.rse: None})


@case(AccountClient.set_local_account_limit)
def sets_local(world: World) -> None:
    """sets the limit at an RSE, again and again; not for everybody."""
    account = world.new_account()
    for limit in (1000, 2000):
        equal(world.root.set_local_account_limit(account, world.rse, limit), True)
        equal(world.root.get_local_account_limit(account, world.rse), {world.rse: limit})
    with raises(AccessDenied):
        world.user.set_local_account_limit(account, world.rse, 1)


@case(AccountClient.get_local_account_limit)
def gets_local(world: World) -> None:
    """returns the limit at an RSE; an unknown RSE is RSENotFound."""
    equal(world.root.get_local_account_limit(world.new_account(), world.rse), {world.rse: None})
    with raises(RSENotFound):
        world.root.get_local_account_limit(world.account, unique('none').upper())


@case(AccountClient.get_local_account_limits)
def gets_all_local(world: World) -> None:
    """returns the limits at all RSEs."""
    account = world.new_account()
    equal(world.root.get_local_account_limits(account), {})
    world.root.set_local_account_limit(account, world.rse, 1000)
    equal(world.root.get_local_account_limits(account), {world.rse: 1000})


@case(AccountClient.delete_local_account_limit)
def deletes_local(world: World) -> None:
    """takes the limit at an RSE away, even if there is none."""
    equal(world.root.delete_local_account_limit(world.new_account(), world.rse), True)


@case(AccountClient.set_global_account_limit)
def sets_global(world: World) -> None:
    """sets the limit for an RSE expression."""
    equal(world.root.set_global_account_limit(world.new_account(), f'{world.rse}|{world.rse}', 1000), True)


@case(AccountClient.get_global_account_limit)
def gets_global(world: World) -> None:
    """returns the limit for an RSE expression, by its text."""
    account, expression = world.new_account(), f'{world.rse}|{world.rse}'
    world.root.set_global_account_limit(account, expression, 1000)
    equal(world.root.get_global_account_limit(account, expression), {expression: 1000})


@case(AccountClient.get_global_account_limits)
def gets_all_global(world: World) -> None:
    """returns the limits for all RSE expressions, with the RSEs they mean."""
    account = world.new_account()
    world.root.set_global_account_limit(account, world.rse, 1000)
    found = world.root.get_global_account_limits(account)
    has(found[world.rse], {'limit': 1000, 'resolved_rses': [world.rse]})


@case(AccountClient.delete_global_account_limit)
def deletes_global(world: World) -> None:
    """takes the limit for an RSE expression away."""
    account = world.new_account()
    world.root.set_global_account_limit(account, world.rse, 1000)
    equal(world.root.delete_global_account_limit(account, world.rse), True)
    equal(world.root.get_global_account_limits(account), {})


@case(AccountClient.get_local_account_usage)
def gets_local_usage(world: World) -> None:
    """returns usage and limit at an RSE; -1 is without limit."""
    account = world.new_account()
    equal(list(world.root.get_local_account_usage(account)), [])
    world.root.set_local_account_limit(account, world.rse, -1)
    (entry,) = world.root.get_local_account_usage(account, world.rse)
    has(entry, {'rse': world.rse, 'bytes': 0, 'files': 0, 'bytes_limit': inf, 'bytes_remaining': inf})


@case(AccountClient.get_global_account_usage)
def gets_global_usage(world: World) -> None:
    """returns usage and limit for an RSE expression."""
    (entry,) = world.root.get_global_account_usage(world.new_account(), world.rse)
    has(entry, {'rse_expression': world.rse, 'bytes': 0, 'files': 0, 'bytes_limit': 0})


@case(AccountClient.get_account_usage_history)
def gets_usage_history(world: World) -> None:
    """returns past usage at an RSE, none for a new account."""
    equal(world.root.get_account_usage_history(world.new_account(), world.rse), [])
