"""Rules (spec/replication.md 2)."""

import time
from typing import Any

from rucio.client.ruleclient import RuleClient
from rucio.common.exception import (
    AccessDenied,
    DuplicateRule,
    InputValidationError,
    InsufficientAccountLimit,
    RuleNotFound,
    RuleReplaceFailed,
    UnsupportedOperation,
)

from .cases import case, equal, has, lines, raises
from .world import Did, World, key


def usable(world: World, count: int = 1) -> list[str]:
    """RSEs of which root may use all."""
    rses = [world.new_rse() for _ in range(count)]
    for rse in rses:
        world.root.set_local_account_limit('root', rse, 10**12)
    return rses


def on(world: World, *rses: str) -> Did:
    """A new file with a replica on each of some RSEs."""
    did = world.new_file()
    for rse in rses:
        world.root.add_replicas(rse, [did])
    return key(did)


def ruled(world: World, did: Did, rse: str, **more: Any) -> str:
    """A new rule of root on a DID."""
    (rule,) = world.root.add_replication_rule([did], more.pop('copies', 1), rse, **more)
    return rule


def gone(world: World, rule: str) -> bool:
    """Waits for a rule to be removed."""
    for _ in range(300):
        try:
            world.root.get_replication_rule(rule)
        except RuleNotFound:
            return True
        time.sleep(0.2)
    return False


@case(RuleClient.add_replication_rule)
def adds(world: World) -> None:
    """makes a rule for each DID and answers their ids; there is no second one of the same, and none beyond a limit."""
    (rse,) = usable(world)
    files = [on(world, rse), on(world, rse)]
    rules = world.root.add_replication_rule(files, 1, rse, lifetime=3600, comment='why', activity='Staging')
    for did, rule in zip(files, rules, strict=True):
        has(world.user.get_replication_rule(rule), {**did, 'state': 'OK', 'comments': 'why', 'activity': 'Staging'})
    with raises(DuplicateRule):
        world.root.add_replication_rule(files[:1], 1, rse)
    with raises(InsufficientAccountLimit):
        world.user.add_replication_rule(files[:1], 1, rse)


@case(RuleClient.get_replication_rule)
def gets(world: World) -> None:
    """shows a rule with its locks and dates."""
    (rse,) = usable(world)
    did = on(world, rse)
    found = world.user.get_replication_rule(ruled(world, did, rse))
    has(found, {**did, 'rse_expression': rse, 'copies': 1, 'locks_ok_cnt': 1, 'account': 'root', 'bytes': 10})
    assert found['created_at'].tzinfo is None, found['created_at']
    with raises(RuleNotFound, 'No rule with the id'):
        world.user.get_replication_rule('0' * 32)


@case(RuleClient.list_replication_rules)
def filters(world: World) -> None:
    """lists the rules that pass all filters."""
    one, two = usable(world, 2)
    did = on(world, one)
    ok, waiting = ruled(world, did, one), ruled(world, did, two)
    found = world.user.list_replication_rules({'scope': did['scope'], 'name': did['name']})
    equal(sorted(rule['id'] for rule in found), sorted([ok, waiting]))
    found = world.user.list_replication_rules({'scope': did['scope'], 'name': did['name'], 'state': 'R'})
    equal([rule['id'] for rule in found], [waiting])
    equal(list(world.user.list_replication_rules({'account': 'no-such-one'})), [])


@case(RuleClient.update_replication_rule)
def updates(world: World) -> None:
    """changes options; an unknown one is refused, and so is somebody else."""
    (rse,) = usable(world)
    rule = ruled(world, on(world, rse), rse)
    equal(world.root.update_replication_rule(rule, {'comment': 'new', 'locked': True, 'priority': 5}), True)
    has(world.user.get_replication_rule(rule), {'comments': 'new', 'locked': True, 'priority': 5})
    with raises(InputValidationError, 'colour is not a valid option to set.'):
        world.root.update_replication_rule(rule, {'colour': 'red'})
    with raises(AccessDenied, 'can not update this replication rule'):
        world.user.update_replication_rule(rule, {'comment': 'x'})


@case(RuleClient.delete_replication_rule)
def deletes(world: World) -> None:
    """lets a rule expire within an hour, unless it is locked."""
    (rse,) = usable(world)
    rule = ruled(world, on(world, rse), rse, locked=True)
    with raises(UnsupportedOperation, 'has to be unlocked'):
        world.root.delete_replication_rule(rule)
    world.root.update_replication_rule(rule, {'locked': False})
    equal(world.root.delete_replication_rule(rule, purge_replicas=True), True)
    found = world.user.get_replication_rule(rule)
    assert found['expires_at'] is not None, found
    equal(found['purge_replicas'], True)


@case(RuleClient.update_replication_rule)
def expires(world: World) -> None:
    """lets a rule go at once that has no time left, with its locks."""
    (rse,) = usable(world)
    did = on(world, rse)
    rule = ruled(world, did, rse)
    world.root.update_replication_rule(rule, {'lifetime': 0})
    assert gone(world, rule), 'the rule is still there'
    equal(list(world.user.list_associated_rules_for_file(**did)), [])


@case(RuleClient.reduce_replication_rule)
def reduces(world: World) -> None:
    """replaces a rule by one with fewer copies."""
    one, two = usable(world, 2)
    rule = ruled(world, on(world, one, two), f'{one}|{two}', copies=2)
    reduced = world.root.reduce_replication_rule(rule, 1, exclude_expression=two)
    has(world.user.get_replication_rule(reduced), {'copies': 1, 'state': 'OK'})
    with raises(RuleNotFound):
        world.user.get_replication_rule(rule)
    with raises(RuleReplaceFailed, 'must be smaller'):
        world.root.reduce_replication_rule(reduced, 1)


@case(RuleClient.move_replication_rule)
def moves(world: World) -> None:
    """makes a rule for other RSEs; the old one goes when that is OK."""
    one, two = usable(world, 2)
    did = on(world, one)
    rule = ruled(world, did, one, comment='why')
    child = world.root.move_replication_rule(rule, two, {'activity': 'Express'})
    has(world.user.get_replication_rule(child), {'rse_expression': two, 'activity': 'Express', 'comments': 'why'})
    equal(world.user.get_replication_rule(rule)['child_rule_id'], child)
    with raises(RuleReplaceFailed, 'must not have a child rule'):
        world.root.move_replication_rule(rule, two, {})
    world.root.update_replicas_states(two, [{**did, 'state': 'A'}])
    assert gone(world, rule), 'the parent is still there'


def asked(world: World) -> str:
    """A rule that waits for approval."""
    (rse,) = usable(world)
    return ruled(world, on(world, rse), rse, ask_approval=True)


@case(RuleClient.approve_replication_rule)
def approves(world: World) -> None:
    """lets a rule be placed that has waited for it."""
    rule = asked(world)
    equal(world.user.get_replication_rule(rule)['state'], 'WAITING_APPROVAL')
    equal(world.root.approve_replication_rule(rule), True)
    equal(world.user.get_replication_rule(rule)['ignore_account_limit'], True)
    with raises(AccessDenied, 'can not approve/deny this replication rule'):
        world.user.approve_replication_rule(rule)


@case(RuleClient.deny_replication_rule)
def denies(world: World) -> None:
    """removes a rule that has waited for approval."""
    rule = asked(world)
    equal(world.root.deny_replication_rule(rule, reason='no'), True)
    with raises(RuleNotFound):
        world.user.get_replication_rule(rule)


@case(RuleClient.examine_replication_rule)
def examines(world: World) -> None:
    """says what keeps a rule from being OK."""
    one, two = usable(world, 2)
    did = on(world, one)
    ok, waiting = ruled(world, did, one), ruled(world, did, two)
    equal(world.user.examine_replication_rule(ok), {'rule_error': 'This replication rule is OK', 'transfers': []})
    verdict = 'This replication rule is currently REPLICATING'
    equal(world.user.examine_replication_rule(waiting)['rule_error'], verdict)
    with raises(RuleNotFound):
        world.user.examine_replication_rule('0' * 32)


@case(RuleClient.list_replica_locks)
def lists_locks(world: World) -> None:
    """lists the locks of a rule on files."""
    (rse,) = usable(world)
    files = [on(world, rse), on(world, rse)]
    dataset = world.dataset()
    world.root.attach_dids(**dataset, dids=files)
    found = list(world.user.list_replica_locks(ruled(world, dataset, rse)))
    equal(lines(found, 'name'), sorted((did['name'],) for did in files))
    equal({(lock['state'], lock['rse']) for lock in found}, {('OK', rse)})


@case(RuleClient.list_replication_rule_full_history)
def tells(world: World) -> None:
    """lists the beginning of each rule of a DID, and its end."""
    one, two = usable(world, 2)
    did = on(world, one)
    rules = [ruled(world, did, one), ruled(world, did, two)]
    history = list(world.user.list_replication_rule_full_history(**did))
    equal(lines(history, 'rule_id', 'state'), sorted(zip(rules, ['OK', 'REPLICATING'], strict=True)))
    world.root.update_replication_rule(rules[0], {'lifetime': 0})
    assert gone(world, rules[0]), 'the rule is still there'
    history = list(world.user.list_replication_rule_full_history(**did))
    equal([line['rule_id'] for line in history], [rules[0], rules[0], rules[1]])
