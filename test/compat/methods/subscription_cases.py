"""Subscriptions (spec/access.md 3)."""

from json import loads

from rucio.client.subscriptionclient import SubscriptionClient
from rucio.common.exception import AccessDenied, InvalidObject, SubscriptionDuplicate, SubscriptionNotFound

from .cases import case, equal, has, lines, raises
from .world import World, unique

# No scope of the other cases begins like this one: nothing of theirs is to match.
FILTER = {'scope': ['subscribed'], 'pattern': 'raw.*'}
RULES = [{'copies': 1, 'rse_expression': 'tier=1', 'activity': 'Staging'}]


def add(world: World, name: str, account: str, **more: object) -> str:
    """Adds a subscription as root."""
    options = {'filter_': FILTER, 'replication_rules': RULES, 'comments': 'why', 'lifetime': False, **more}
    return world.root.add_subscription(name, account, retroactive=False, dry_run=False, **options)


@case(SubscriptionClient.add_subscription)
def adds(world: World) -> None:
    """returns the id of the new subscription; the same account has no second one of the name."""
    name = unique('sub')
    found = add(world, name, world.account)
    assert len(found) == 32 and int(found, 16) >= 0, f'no id: {found}'
    with raises(SubscriptionDuplicate, f"Subscription '{name}' owned by '{world.account}' already exists!"):
        add(world, name, world.account)
    add(world, name, 'root')


@case(SubscriptionClient.add_subscription)
def refuses(world: World) -> None:
    """refuses bad filters, bad rules, and callers without permission, be they the owner."""
    with raises(InvalidObject, 'subscription_filter'):
        add(world, unique('sub'), world.account, filter_={'scope': 'data'})
    with raises(InvalidObject, 'You must specify a rule'):
        add(world, unique('sub'), world.account, replication_rules=[])
    with raises(InvalidObject, 'activity'):
        add(world, unique('sub'), world.account, replication_rules=[{'activity': 'none'}])
    with raises(AccessDenied):
        world.user.add_subscription(unique('sub'), world.account, FILTER, RULES, 'why', False, False, False)


@case(SubscriptionClient.list_subscriptions)
def lists(world: World) -> None:
    """lists all subscriptions, those of an account, those of a name, and one."""
    account, name = world.new_account(), unique('sub')
    found = add(world, name, account, lifetime=10, priority=5)
    add(world, unique('sub'), account)
    (record,) = world.user.list_subscriptions(name=name, account=account)
    has(
        record,
        {
            'id': found,
            'name': name,
            'account': account,
            'state': 'ACTIVE',
            'policyid': 5,
            'comments': 'why',
            'retroactive': False,
            'expired_at': None,
        },
    )
    equal(loads(record['filter']), FILTER)
    equal(loads(record['replication_rules']), RULES)
    equal((record['lifetime'] - record['created_at']).days, 10)
    equal(lines(world.user.list_subscriptions(name=name), 'account', 'name'), [(account, name)])
    equal(len(list(world.user.list_subscriptions(account=account))), 2)
    assert found in [each['id'] for each in world.user.list_subscriptions()]


@case(SubscriptionClient.list_subscriptions)
def lists_none(world: World) -> None:
    """lists nothing where there is none."""
    for wanted in ({'name': unique('none')}, {'account': world.new_account()}):
        equal(list(world.user.list_subscriptions(**wanted)), [])


@case(SubscriptionClient.update_subscription)
def updates(world: World) -> None:
    """replaces what is named, and makes the subscription UPDATED; an unknown one is SubscriptionNotFound."""
    name = unique('sub')
    add(world, name, world.account)
    equal(world.root.update_subscription(name, world.account, comments='new', priority=7), True)
    (record,) = world.user.list_subscriptions(name=name, account=world.account)
    has(record, {'state': 'UPDATED', 'comments': 'new', 'policyid': 7})
    equal(loads(record['filter']), FILTER)
    with raises(SubscriptionNotFound):
        world.root.update_subscription(unique('none'), world.account)
    with raises(AccessDenied):
        world.user.update_subscription(name, world.account, comments='newer')


@case(SubscriptionClient.deactivate_subscription)
def deactivates(world: World) -> None:
    """makes a subscription INACTIVE from now on."""
    name = unique('sub')
    add(world, name, world.account)
    equal(world.root.deactivate_subscription(name, world.account), True)
    (record,) = world.user.list_subscriptions(name=name, account=world.account)
    has(record, {'state': 'INACTIVE', 'expired_at': record['updated_at']})


@case(SubscriptionClient.list_subscription_rules)
def lists_rules(world: World) -> None:
    """lists the rules of a subscription; an unknown one is SubscriptionNotFound."""
    name = unique('sub')
    add(world, name, world.account)
    equal(list(world.user.list_subscription_rules(world.account, name)), [])
    with raises(SubscriptionNotFound):
        world.user.list_subscription_rules(world.account, unique('none'))


@case(SubscriptionClient.list_subscription_rule_states)
def counts_rules(world: World) -> None:
    """counts the rules of a subscription, or of all of an account, by state; with details, too."""
    account, name = world.new_account(), unique('sub')
    add(world, name, account)
    equal(list(world.user.list_subscription_rule_states(account, name)), [[account, name, None, 0]])
    equal(list(world.user.list_subscription_rule_states(account)), [[account, name, None, 0]])
    equal(list(world.user.list_subscription_rule_states(account, unique('none'))), [])
    (row,) = world.user.list_subscription_rule_states(account, name, include_details=True)
    has(row, {'name': name, 'state': None, 'count': 0, 'subscription_state': 'ACTIVE', 'comments': 'why'})
