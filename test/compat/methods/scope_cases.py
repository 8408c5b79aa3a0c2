"""Scopes (spec/dids.md 2.28)."""

from rucio.client.scopeclient import ScopeClient
from rucio.common.exception import AccessDenied, AccountNotFound, Duplicate, InvalidObject, ScopeNotFound

from .cases import case, equal, raises
from .world import World, unique


@case(ScopeClient.add_scope)
def adds(world: World) -> None:
    """creates a scope for an account; it is there at once."""
    scope = unique('scope')
    equal(world.root.add_scope(world.account, scope), True)
    assert scope in world.root.list_scopes_for_account(world.account)


@case(ScopeClient.add_scope)
def refuses(world: World) -> None:
    """refuses long and illegal names, unknown accounts, duplicates, and callers without permission."""
    for name in ('s' * 26, 'a$b'):
        with raises(InvalidObject):
            world.root.add_scope('root', name)
    with raises(AccountNotFound):
        world.root.add_scope(unique('none'), unique('scope'))
    with raises(Duplicate, f"Scope '{world.scope}' already exists!"):
        world.root.add_scope('root', world.scope)
    with raises(AccessDenied, 'can not add scope'):
        world.user.add_scope('root', unique('scope'))


@case(ScopeClient.list_scopes)
def lists(world: World) -> None:
    """lists the names of all scopes."""
    assert {world.scope, world.user_scope} <= set(world.root.list_scopes())


@case(ScopeClient.list_scope_owners)
def lists_owners(world: World) -> None:
    """lists all scopes with their accounts."""
    assert {'scope': world.user_scope, 'account': world.account} in world.root.list_scope_owners()


@case(ScopeClient.list_scopes_for_account)
def lists_of_an_account(world: World) -> None:
    """lists the scopes of an account; none is ScopeNotFound, no account is AccountNotFound."""
    account = world.new_account()
    with raises(ScopeNotFound):
        world.root.list_scopes_for_account(account)
    scopes = sorted(world.new_scope(account) for _ in range(2))
    equal(sorted(world.root.list_scopes_for_account(account)), scopes)
    with raises(AccountNotFound):
        world.root.list_scopes_for_account(unique('none'))


@case(ScopeClient.update_scope)
def changes_owner(world: World) -> None:
    """gives a scope to another account."""
    scope, account = world.new_scope(), world.new_account()
    equal(world.root.update_scope(account, scope), True)
    equal(world.root.list_scopes_for_account(account), [scope])
    with raises(AccountNotFound):
        world.root.update_scope(unique('none'), scope)
    with raises(ScopeNotFound):
        world.root.update_scope(account, unique('none'))
    with raises(AccessDenied):
        world.user.update_scope(world.account, scope)
