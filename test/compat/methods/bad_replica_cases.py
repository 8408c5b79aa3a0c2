"""Bad, suspicious and unknown replicas (spec/replication.md 1.8)."""

from datetime import datetime, timedelta

from rucio.client.replicaclient import ReplicaClient
from rucio.common.exception import AccessDenied, InputValidationError, ReplicaNotFound, RSENotFound

from .cases import case, equal, lines, raises
from .replica_cases import registered, served, states
from .world import Did, World, key, unique


def pfn_of(world: World, did: Did) -> str:
    """Where a file lies that lies in one place."""
    (line,) = world.root.list_replicas([key(did)], all_states=True)
    (pfn,) = line['pfns']
    return pfn


@case(ReplicaClient.declare_bad_file_replicas)
def declares_bad(world: World) -> None:
    """makes replicas BAD, by file and RSE or by PFN, and says what was declared before or is unknown."""
    rse = served(world)
    one, other = registered(world, rse, 2)
    equal(world.root.declare_bad_file_replicas([{**one, 'rse': rse}], 'burnt'), {})
    pfn = pfn_of(world, other)
    equal(world.root.declare_bad_file_replicas([pfn], 'lost'), {})
    equal(states(world, one, other), [{rse: 'BAD'}, {rse: 'BAD'}])
    name, again = unique('none'), f'{one["scope"]}:{one["name"]} Already declared'
    found = world.root.declare_bad_file_replicas([{**one, 'rse': rse}, {**one, 'name': name, 'rse': rse}], 'burnt')
    equal(found, {rse: [again, f"({world.scope}, '{name}') Unknown replica"]})
    equal(world.root.declare_bad_file_replicas([{**one, 'rse': rse}], 'burnt', force=True), {})


@case(ReplicaClient.declare_bad_file_replicas)
def refuses_to_declare(world: World) -> None:
    """refuses PFNs of no RSE, and callers without permission."""
    rse = served(world)
    (did,) = registered(world, rse)
    with raises(ReplicaNotFound, 'Not all replicas found'):
        world.root.declare_bad_file_replicas(['gsiftp://nowhere.example.org/x'], 'lost')
    with raises(AccessDenied, f'Account {world.account} can not declare bad replicas in RSE {rse}'):
        world.user.declare_bad_file_replicas([{**did, 'rse': rse}], 'lost')
    equal(states(world, did), [{rse: 'AVAILABLE'}])


@case(ReplicaClient.declare_bad_did_replicas)
def declares_dids(world: World) -> None:
    """makes the replicas of files on one RSE BAD, and says which are not."""
    rse = served(world)
    (did,) = registered(world, rse)
    equal(world.root.declare_bad_did_replicas(rse, [did], 'burnt'), [])
    equal(states(world, did), [{rse: 'BAD'}])
    equal(world.root.declare_bad_did_replicas(rse, [did], 'burnt'), [f'{did["scope"]}:{did["name"]} Already declared'])


@case(ReplicaClient.add_bad_pfns, differs='PFNs are dealt with at once; in Rucio a daemon does it later')
def adds_bad_pfns(world: World) -> None:
    """makes replicas BAD, or unavailable for a time; those of no replica are passed over."""
    rse = served(world)
    one, other = registered(world, rse, 2)
    pfns = [pfn_of(world, one), f'file://localhost/{rse.lower()}/none']
    equal(world.root.add_bad_pfns(pfns, 'burnt', 'BAD', None), True)
    until = (datetime.utcnow() + timedelta(hours=1)).isoformat()
    equal(world.root.add_bad_pfns([pfn_of(world, other)], 'down', 'TEMPORARY_UNAVAILABLE', until), True)
    equal(states(world, one, other), [{rse: 'BAD'}, {rse: 'TEMPORARY_UNAVAILABLE'}])
    with raises(AccessDenied, 'can not declare bad PFN'):
        world.user.add_bad_pfns(pfns, 'burnt', 'BAD', None)


@case(ReplicaClient.add_bad_pfns, differs='what cannot be declared is bad input (400); Rucio answers 500')
def refuses_bad_pfns(world: World) -> None:
    """wants a time to the end of what is temporary, and none of what is not."""
    pfns = ['file://localhost/x']
    for state, until in (('TEMPORARY_UNAVAILABLE', None), ('BAD', '2100-01-01T00:00:00')):
        with raises(InputValidationError):
            world.root.add_bad_pfns(pfns, 'down', state, until)


@case(ReplicaClient.declare_suspicious_file_replicas)
def declares_suspicious(world: World) -> None:
    """notes a suspicion, and leaves the replica as it is; anybody may."""
    rse = served(world)
    (did,) = registered(world, rse)
    equal(world.user.declare_suspicious_file_replicas([pfn_of(world, did)], 'slow'), {})
    equal(states(world, did), [{rse: 'AVAILABLE'}])
    unknown = f'file://localhost/{rse.lower()}/{world.scope}/00/00/none'
    equal(world.user.declare_suspicious_file_replicas([unknown], 'slow'), {rse: [f"({world.scope}, 'none') Unknown replica"]})


@case(ReplicaClient.list_suspicious_replicas)
def lists_suspicious(world: World) -> None:
    """counts suspicions, more than a number of them and since a time, of replicas that were not declared bad."""
    rse = served(world)
    one, other = registered(world, rse, 2)
    for did in (one, one, other):
        world.user.declare_suspicious_file_replicas([pfn_of(world, did)], 'slow')
    # The client gives the array of the answer as one line.
    (found,) = world.user.list_suspicious_replicas(rse_expression=rse)
    equal(lines(found, 'name', 'rse', 'cnt'), sorted([(one['name'], rse, 2), (other['name'], rse, 1)]))
    (often,) = world.user.list_suspicious_replicas(rse_expression=rse, nattempts=1)
    equal(lines(often, 'name'), [(one['name'],)])
    world.root.declare_bad_file_replicas([{**one, 'rse': rse}], 'burnt')
    (found,) = world.user.list_suspicious_replicas(rse_expression=rse, younger_than='2020-01-01T00:00:00')
    equal(lines(found, 'name'), [(other['name'],)])


@case(ReplicaClient.quarantine_replicas)
def quarantines(world: World) -> None:
    """takes files that the catalogue does not know, of root and admins."""
    rse, path = served(world), {'path': f'/{unique("dark")}'}
    for _ in range(2):
        equal(world.root.quarantine_replicas([path], rse=rse), None)
    with raises(AccessDenied, 'can not quarantine replicas'):
        world.user.quarantine_replicas([path], rse=rse)
    with raises(RSENotFound):
        world.root.quarantine_replicas([path], rse=unique('NONE').upper())


@case(ReplicaClient.get_did_from_pfns, differs='works with every scheme; in Rucio with srm alone')
def finds_files(world: World) -> None:
    """says which files PFNs are of, on RSEs that make their paths and on those that do not."""
    for rse in (served(world), served(world, deterministic=False)):
        did, pfn = world.new_file(), f'file://localhost/{rse.lower()}/{unique("path")}'
        world.root.add_replicas(rse, [did if world.root.get_rse(rse)['deterministic'] else {**did, 'pfn': pfn}])
        pfn = pfn_of(world, did)
        equal(list(world.user.get_did_from_pfns([pfn], rse)), [{pfn: key(did)}])
