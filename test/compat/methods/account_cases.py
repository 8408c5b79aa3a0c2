"""Accounts, their attributes and identities (spec/access.md 2.2, 2.3)."""

from rucio.client import Client
from rucio.client.accountclient import AccountClient
from rucio.common.exception import (
    AccessDenied,
    AccountNotFound,
    CannotAuthenticate,
    Duplicate,
    IdentityError,
    InvalidAccountType,
    InvalidObject,
)

from .cases import case, equal, has, lines, raises
from .world import World, unique


@case(AccountClient.add_account)
def adds(world: World) -> None:
    """creates an account of each type."""
    for kind in ('USER', 'GROUP', 'SERVICE'):
        account = unique('acc')
        equal(world.root.add_account(account, kind, 'a@example.org'), True)
        has(world.root.get_account(account) or {}, {'account_type': kind, 'email': 'a@example.org'})


@case(AccountClient.add_account)
def refuses(world: World) -> None:
    """refuses bad names and types, duplicates, and callers without permission."""
    with raises(InvalidObject):
        world.root.add_account('Capital', 'USER', 'a@example.org')
    with raises(InvalidAccountType):
        world.root.add_account(unique('acc'), 'ROBOT', 'a@example.org')
    with raises(Duplicate, f"Account ID '{world.account}' already exists!"):
        world.root.add_account(world.account, 'USER', 'a@example.org')
    with raises(AccessDenied):
        world.user.add_account(unique('acc'), 'USER', 'a@example.org')


@case(AccountClient.get_account)
def gets(world: World) -> None:
    """returns the eight fields of an account."""
    found = world.root.get_account(world.account) or {}
    fields = 'account account_type created_at deleted_at email status suspended_at updated_at'
    equal(sorted(found), fields.split())
    has(found, {'account': world.account, 'account_type': 'USER', 'status': 'ACTIVE', 'deleted_at': None})
    with raises(AccountNotFound, 'cannot be found'):
        world.root.get_account(unique('none'))


@case(AccountClient.delete_account)
def deletes(world: World) -> None:
    """gives an account the status DELETED; twice is AccountNotFound, and its name stays taken."""
    account = world.new_account()
    with raises(AccessDenied):
        world.user.delete_account(account)
    equal(world.root.delete_account(account), True)
    equal((world.root.get_account(account) or {})['status'], 'DELETED')
    with raises(AccountNotFound):
        world.root.delete_account(account)
    with raises(Duplicate):
        world.root.add_account(account, 'USER', 'a@example.org')


@case(AccountClient.update_account)
def updates(world: World) -> None:
    """suspends, revives, and changes the e-mail address."""
    account = world.new_account()
    for key, value in (('status', 'SUSPENDED'), ('status', 'ACTIVE'), ('email', 'new@example.org')):
        equal(world.root.update_account(account, key, value), True)
        has(world.root.get_account(account) or {}, {key: value})
    with raises(AccessDenied):
        world.user.update_account(account, 'email', 'x@example.org')
    with raises(AccountNotFound):
        world.root.update_account(unique('none'), 'email', 'x@example.org')


@case(AccountClient.list_accounts)
def lists(world: World) -> None:
    """lists active accounts, by type, identity, attribute or name pattern."""
    account = world.new_account()
    world.root.add_identity(account, account, 'USERPASS', 'a@example.org', password='secret')
    world.root.add_account_attribute(account, 'team', account)
    entry = {'account': account, 'type': 'USER', 'email': 'kim@example.org'}
    assert entry in list(world.root.list_accounts())
    assert entry in list(world.root.list_accounts(account_type='USER'))
    assert entry not in list(world.root.list_accounts(account_type='SERVICE'))
    equal(list(world.root.list_accounts(identity=account)), [entry])
    equal(list(world.root.list_accounts(filters={'team': account})), [entry])
    equal(list(world.root.list_accounts(filters={'account': account[:-1] + '*'})), [entry])
    world.root.update_account(account, 'status', 'SUSPENDED')
    equal(list(world.root.list_accounts(identity=account)), [])


@case(AccountClient.whoami)
def knows_the_caller(world: World) -> None:
    """returns the account of the token."""
    has(world.user.whoami() or {}, {'account': world.account, 'account_type': 'USER'})
    has(world.root.whoami() or {}, {'account': 'root', 'account_type': 'SERVICE'})


@case(AccountClient.add_identity)
def adds_an_identity(world: World) -> None:
    """lets a user name and password log in; a wrong password is CannotAuthenticate."""
    account, user = world.new_account(), unique('user')
    equal(world.root.add_identity(account, user, 'USERPASS', 'a@example.org', default=True, password='right'), True)
    creds = {'username': user, 'password': 'right'}
    equal((Client(account=account, auth_type='userpass', creds=creds).whoami() or {})['account'], account)
    wrong = {'username': world.account, 'password': 'wrong'}
    with raises(CannotAuthenticate):
        Client(account=unique('acc'), auth_type='userpass', creds=wrong)


@case(AccountClient.add_identity)
def refuses_identities(world: World) -> None:
    """wants a password; refuses duplicates, unknown accounts, and callers without permission."""
    account = world.new_account()
    with raises(IdentityError, 'You must provide a password!'):
        world.root.add_identity(account, account, 'USERPASS', 'a@example.org')
    dn = f'/CN={account}'
    world.root.add_identity(account, dn, 'X509', 'a@example.org')
    with raises(Duplicate, f"Identity pair '{dn}','IdentityType.X509' already exists!"):
        world.root.add_identity(account, dn, 'X509', 'a@example.org')
    with raises(AccountNotFound):
        world.root.add_identity(unique('none'), dn, 'X509', 'a@example.org')
    with raises(AccessDenied):
        world.user.add_identity(account, '/CN=other', 'X509', 'a@example.org')


@case(AccountClient.list_identities)
def lists_identities(world: World) -> None:
    """lists type, name and e-mail address of the identities of an account."""
    account = world.new_account()
    equal(list(world.root.list_identities(account)), [])
    world.root.add_identity(account, account, 'USERPASS', 'a@example.org', password='secret')
    world.root.add_identity(account, f'{account}@REALM', 'GSS', 'b@example.org')
    expected = [('GSS', f'{account}@REALM', 'b@example.org'), ('USERPASS', account, 'a@example.org')]
    equal(lines(world.root.list_identities(account), 'type', 'identity', 'email'), expected)
    with raises(AccountNotFound):
        list(world.root.list_identities(unique('none')))


@case(AccountClient.del_identity)
def deletes_identities(world: World) -> None:
    """takes an identity from an account; twice is IdentityError."""
    account = world.new_account()
    world.root.add_identity(account, account, 'USERPASS', 'a@example.org', password='secret')
    with raises(AccessDenied):
        world.user.del_identity(account, account, 'USERPASS')
    equal(world.root.del_identity(account, account, 'USERPASS'), True)
    equal(list(world.root.list_identities(account)), [])
    with raises(IdentityError, 'does not exist!'):
        world.root.del_identity(account, account, 'USERPASS')


@case(AccountClient.add_account_attribute)
def adds_attributes(world: World) -> None:
    """gives an account an attribute; twice is Duplicate."""
    account = world.new_account()
    equal(world.root.add_account_attribute(account, 'team', 'muon'), True)
    with raises(Duplicate, f'Key team already exist for account {account}!'):
        world.root.add_account_attribute(account, 'team', 'jet')
    with raises(InvalidObject):
        world.root.add_account_attribute(account, 'a b', 'jet')
    with raises(AccountNotFound):
        world.root.add_account_attribute(unique('none'), 'team', 'muon')
    with raises(AccessDenied):
        world.user.add_account_attribute(world.account, 'admin', 'true')


@case(AccountClient.list_account_attributes)
def lists_attributes(world: World) -> None:
    """lists keys and values; the texts true and false are booleans."""
    account = world.new_account()
    equal(list(world.root.list_account_attributes(account)), [[]])
    world.root.add_account_attribute(account, 'team', 'muon')
    world.root.add_account_attribute(account, 'robot', 'true')
    (found,) = world.root.list_account_attributes(account)
    equal(lines(found, 'key', 'value'), [('robot', True), ('team', 'muon')])
    with raises(AccountNotFound):
        list(world.root.list_account_attributes(unique('none')))


@case(AccountClient.delete_account_attribute)
def deletes_attributes(world: World) -> None:
    """takes an attribute away; an absent one is AccountNotFound."""
    account = world.new_account()
    world.root.add_account_attribute(account, 'team', 'muon')
    equal(world.root.delete_account_attribute(account, 'team'), True)
    equal(list(world.root.list_account_attributes(account)), [[]])
    with raises(AccountNotFound, 'Attribute (team) does not exist'):
        world.root.delete_account_attribute(account, 'team')


@case(AccountClient.list_account_rules)
def lists_rules(world: World) -> None:
    """lists the rules of an account."""
    dataset = world.dataset(world.new_files(1))
    world.root.set_local_account_limit('root', world.rse, 1000)
    (rule,) = world.root.add_replication_rule([dataset], 1, world.rse)
    assert rule in [found['id'] for found in world.root.list_account_rules('root')]
