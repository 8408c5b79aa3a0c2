"""Locks on datasets (spec/replication.md 4)."""

from rucio.client.lockclient import LockClient
from rucio.common.exception import RSENotFound

from .cases import case, equal, has, lines, raises
from .rule_cases import ruled, usable
from .world import World, unique_rse


@case(LockClient.get_dataset_locks)
def lists(world: World) -> None:
    """lists the rules that keep a dataset; sizes are shown once it is closed."""
    (rse,) = usable(world)
    dataset = world.dataset()
    rule = ruled(world, dataset, rse)
    (lock,) = world.user.get_dataset_locks(**dataset)
    has(lock, {**dataset, 'rse': rse, 'rule_id': rule, 'account': 'root', 'state': 'OK', 'length': None, 'bytes': None})
    world.root.close(**dataset)
    (lock,) = world.user.get_dataset_locks(**dataset)
    has(lock, {'length': 0, 'bytes': 0})


@case(LockClient.get_locks_for_dids)
def lists_many(world: World) -> None:
    """lists the locks on many datasets, and on those below containers, each once."""
    (rse,) = usable(world)
    datasets = [world.dataset(), world.dataset()]
    container = world.container(*datasets)
    ruled(world, container, rse)
    dids = [{**container, 'type': 'container'}, {**datasets[0], 'type': 'dataset'}]
    found = list(world.user.get_locks_for_dids(dids))
    equal(lines(found, 'name'), sorted((dataset['name'],) for dataset in datasets))


@case(LockClient.get_dataset_locks_by_rse)
def lists_on_an_rse(world: World) -> None:
    """lists what an RSE has to keep."""
    (rse,) = usable(world)
    datasets = [world.dataset(), world.dataset()]
    rules = [ruled(world, dataset, rse) for dataset in datasets]
    found = list(world.user.get_dataset_locks_by_rse(rse))
    equal(lines(found, 'rule_id'), sorted((rule,) for rule in rules))
    with raises(RSENotFound, 'cannot be found'):
        list(world.user.get_dataset_locks_by_rse(unique_rse()))
