"""Replicas (spec/replication.md 1.2 to 1.7)."""

from typing import Any

from rucio.client.replicaclient import ReplicaClient
from rucio.client.touchclient import TouchClient
from rucio.common.exception import (
    AccessDenied,
    DataIdentifierNotFound,
    FileConsistencyMismatch,
    InvalidPath,
    ReplicaNotFound,
    RSENotFound,
    ScopeNotFound,
    UnsupportedDIDType,
    UnsupportedOperation,
)

from .cases import case, equal, has, lines, raises
from .world import Did, World, key, unique, unique_rse

EVERYWHERE = {'lan': {'read': 1, 'write': 1, 'delete': 1}, 'wan': {'read': 1, 'write': 1, 'delete': 1}}


def served(world: World, scheme: str = 'file', rse: str | None = None, **properties: Any) -> str:
    """An RSE with a protocol whose prefix is the name of the RSE in small letters."""
    rse = rse or world.new_rse(**properties)
    impl = 'rucio.rse.protocols.posix.Default' if scheme == 'file' else 'rucio.rse.protocols.gfal.Default'
    place = {'scheme': scheme, 'hostname': 'localhost', 'port': 0, 'prefix': f'/{rse.lower()}', 'impl': impl}
    world.root.add_protocol(rse, {**place, 'domains': EVERYWHERE})
    return rse


def registered(world: World, rse: str, count: int = 1, **more: Any) -> list[Did]:
    """New files with a replica."""
    files = [world.new_file(**more) for _ in range(count)]
    world.root.add_replicas(rse, files)
    return [key(did) for did in files]


def states(world: World, *dids: Did) -> list[dict[str, str]]:
    """The states by RSE of each file."""
    found = world.user.list_replicas(list(dids), all_states=True)
    return [line['states'] for line in sorted(found, key=lambda line: [key(did) for did in dids].index(key(line)))]


@case(ReplicaClient.add_replica)
def adds_one(world: World) -> None:
    """registers one file, which it makes, with size, checksums and metadata; once more changes nothing, another size is refused."""
    rse, did = served(world), {'scope': world.scope, 'name': unique('file')}
    meta = {'guid': '0123456789abcdef0123456789abcdef', 'events': 7}
    file = {**did, 'adler32': '0cc737eb', 'md5': '0' * 32, 'meta': meta}
    for _ in range(2):
        equal(world.root.add_replica(rse, **file, bytes_=9), True)
    with raises(FileConsistencyMismatch, 'bytes mismatch'):
        world.root.add_replica(rse, **file, bytes_=10)
    has(world.user.get_metadata(**did), {'bytes': 9, 'adler32': '0cc737eb', 'md5': '0' * 32, **meta})
    equal(states(world, did), [{rse: 'AVAILABLE'}])


@case(ReplicaClient.add_replicas)
def adds(world: World) -> None:
    """registers many files, new ones and others, in the states that it names; an unknown scope or RSE refuses all."""
    one, other, files = served(world), served(world), world.new_files(3)
    equal(world.root.add_replicas(one, files[:2]), True)
    equal(world.root.add_replicas(other, [{**did, 'state': 'C'} for did in files]), True)
    expected = [{one: 'AVAILABLE', other: 'COPYING'}, {one: 'AVAILABLE', other: 'COPYING'}, {other: 'COPYING'}]
    equal(states(world, *map(key, files)), expected)
    new = world.new_file()
    with raises(ScopeNotFound, 'does not exist'):
        world.root.add_replicas(one, [new, {**world.new_file(), 'scope': unique('scope')}])
    with raises(RSENotFound, 'cannot be found'):
        world.root.add_replicas(unique_rse(), [new])
    equal(list(world.user.list_replicas([key(new)])), [])


@case(ReplicaClient.add_replicas)
def adds_with_pfns(world: World) -> None:
    """wants the PFN that the RSE makes itself, and any below the prefix where the RSE makes none."""
    even, odd, did = served(world), served(world, deterministic=False), world.new_file()
    with raises(InvalidPath, 'does not match the Rucio expected PFNs'):
        world.root.add_replicas(even, [{**did, 'pfn': f'file://localhost/{even.lower()}/elsewhere'}])
    pfn = f'file://localhost/{odd.lower()}/else/where'
    equal(world.root.add_replicas(odd, [{**did, 'pfn': pfn}]), True)
    equal([line['rses'] for line in world.user.list_replicas([key(did)])], [{odd: [pfn]}])


@case(ReplicaClient.add_replicas, differs='UnsupportedOperation is a conflict (409); Rucio answers 500')
def adds_no_path(world: World) -> None:
    """refuses volatile RSEs, and files without PFN where the RSE makes none."""
    for rse, text in (
        (served(world, volatile=True), 'Cannot add replicas on volatile RSE'),
        (served(world, deterministic=False), 'PFN needed for this (non deterministic) RSE'),
    ):
        with raises(UnsupportedOperation, text):
            world.root.add_replicas(rse, [world.new_file()])


@case(ReplicaClient.add_replicas)
def adds_for_somebody(world: World) -> None:
    """takes files of ordinary accounts into scopes of theirs, and only where they may."""
    denied, did = world.new_rse(), {**world.new_file(), 'scope': world.user_scope}
    with raises(AccessDenied, f'Account {world.account} can not add file replicas on {denied}'):
        world.user.add_replicas(denied, [did])
    rse = f'{unique_rse()}_USERDISK'
    world.root.add_rse(rse)
    equal(world.user.add_replicas(rse, [did]), True)
    with raises(AccessDenied, 'However, account'):
        world.user.add_replicas(rse, [world.new_file()])


@case(ReplicaClient.update_replicas_states)
def updates(world: World) -> None:
    """changes the states of replicas; ordinary accounts may not."""
    rse = served(world)
    one, other = registered(world, rse, 2, state='C')
    equal(world.root.update_replicas_states(rse, [{**one, 'state': 'A'}, {**other, 'state': 'U'}]), True)
    equal(states(world, one, other), [{rse: 'AVAILABLE'}, {rse: 'UNAVAILABLE'}])
    with raises(AccessDenied, 'can not update file replicas state on'):
        world.user.update_replicas_states(rse, [{**one, 'state': 'U'}])


@case(ReplicaClient.delete_replicas, differs='root and admins delete replicas; in Rucio nobody may')
def deletes(world: World) -> None:
    """takes replicas away; a file without any is gone, and its dataset is smaller."""
    one, other = served(world), served(world)
    files = registered(world, one, 2)
    world.root.add_replicas(other, [{**world.new_file(), **files[0]}])
    dataset = world.dataset()
    world.root.attach_dids(**dataset, dids=files)
    with raises(AccessDenied, 'can not delete file replicas on'):
        world.user.delete_replicas(one, files)
    equal(world.root.delete_replicas(one, files), True)
    equal(lines(world.user.list_content(**dataset), 'name'), [(files[0]['name'],)])
    with raises(DataIdentifierNotFound):
        world.user.get_did(**files[1])
    with raises(ReplicaNotFound):
        world.root.delete_replicas(one, files)


@case(ReplicaClient.list_replicas)
def lists(world: World) -> None:
    """lists what can be read: size, checksums, states, and PFNs by RSE with their priorities."""
    rse = served(world)
    (did,) = registered(world, rse)
    (line,) = world.user.list_replicas([did])
    (pfn,) = line['pfns']
    where = {'rse': rse, 'type': 'DISK', 'volatile': False, 'domain': 'wan', 'priority': 1, 'client_extract': False}
    has(line['pfns'][pfn], where)
    has(line, {**did, 'bytes': 10, 'adler32': '0cc737eb', 'states': {rse: 'AVAILABLE'}, 'rses': {rse: [pfn]}})
    assert pfn.startswith(f'file://localhost/{rse.lower()}/{world.scope}/'), pfn


@case(ReplicaClient.list_replicas)
def lists_what_is_wanted(world: World) -> None:
    """keeps to schemes, RSEs, availability and states; resolves collections; a sample is a part of the files."""
    one, other = served(world), served(world, 'davs')
    files = registered(world, one, 4)
    world.root.add_replicas(other, [{**world.new_file(), **did} for did in files])
    world.root.update_replicas_states(other, [{**files[0], 'state': 'U'}])
    dataset = world.dataset()
    world.root.attach_dids(**dataset, dids=files)
    container = world.container(dataset)

    def rses(**wish: Any) -> list[list[str]]:
        return sorted(sorted(line['rses']) for line in world.user.list_replicas([container], **wish))

    both = sorted([one, other])
    equal(rses(), sorted([[one], both, both, both]))
    equal(rses(schemes=['file']), [[one]] * 4)
    equal(rses(rse_expression=other), [[other]] * 3)
    equal(rses(rse_expression=other, all_states=True), [[other]] * 4)
    equal(len(rses(nrandom=2)), 2)
    for line in world.user.list_replicas([container], resolve_parents=True):
        equal(line['parents'], [f'{did["scope"]}:{did["name"]}' for did in (dataset, container)])
    world.root.update_rse(other, {'availability_read': False})
    equal(rses(ignore_availability=False), [[one]] * 4)


@case(ReplicaClient.list_replicas)
def lists_as_metalink(world: World) -> None:
    """gives a metalink in place of lines."""
    rse = served(world)
    (did,) = registered(world, rse)
    text = world.user.list_replicas([did], metalink=True)
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<metalink xmlns='), text
    assert f'<identity>{did["scope"]}:{did["name"]}</identity>' in text, text
    assert f'<url location="{rse}" domain="wan" priority="1" client_extract="false">file://' in text, text


@case(ReplicaClient.list_dataset_replicas)
def lists_dataset_replicas(world: World) -> None:
    """counts files and bytes of a dataset where a rule keeps it, or with `deep` on every RSE that has some."""
    one, other = served(world), served(world)
    world.root.set_local_account_limit('root', one, 10**12)
    files = registered(world, one, 2)
    world.root.add_replicas(other, [{**world.new_file(), **files[0]}])
    dataset = world.dataset()
    world.root.attach_dids(**dataset, dids=files)
    world.root.add_replication_rule([dataset], 1, one)
    rows = [(one, 2, 20, 2, 'AVAILABLE'), (other, 1, 10, 2, 'UNAVAILABLE')]
    for deep, expected in ((False, rows[:1]), (True, rows)):
        found = world.user.list_dataset_replicas(**dataset, deep=deep)
        counts = lines(found, 'rse', 'available_length', 'available_bytes', 'length', 'state')
        equal(counts, sorted(expected))


@case(ReplicaClient.list_dataset_replicas_bulk)
def lists_dataset_replicas_in_bulk(world: World) -> None:
    """does so for many datasets; what is unknown is passed over."""
    rse = served(world)
    world.root.set_local_account_limit('root', rse, 10**12)
    datasets = [world.dataset(), world.dataset()]
    for dataset in datasets:
        world.root.attach_dids(**dataset, dids=registered(world, rse))
    world.root.add_replication_rule(datasets, 1, rse)
    found = list(world.user.list_dataset_replicas_bulk([*datasets, {'scope': world.scope, 'name': unique('none')}]))
    equal(lines(found, 'name', 'rse', 'length'), sorted((dataset['name'], rse, 1) for dataset in datasets))


@case(ReplicaClient.list_dataset_replicas_vp)
def lists_virtual_placement(world: World) -> None:
    """lists nothing, as there is no virtual placement."""
    dataset = world.dataset()
    found = [line for line in world.user.list_dataset_replicas_vp(**dataset) if 'vp' in line]
    equal(found, [])


@case(ReplicaClient.list_datasets_per_rse)
def lists_datasets(world: World) -> None:
    """lists the datasets that a rule keeps on an RSE; the client sends neither filters nor limit."""
    rse = served(world)
    world.root.set_local_account_limit('root', rse, 10**12)
    datasets = [world.dataset(), world.dataset()]
    for dataset in [*datasets, world.dataset()]:
        world.root.attach_dids(**dataset, dids=registered(world, rse))
    world.root.add_replication_rule(datasets, 1, rse)
    equal(lines(world.user.list_datasets_per_rse(rse), 'name'), sorted((dataset['name'],) for dataset in datasets))
    with raises(RSENotFound):
        list(world.user.list_datasets_per_rse(unique_rse()))


@case(ReplicaClient.set_tombstone)
def sets_tombstones(world: World) -> None:
    """lets a replica be deleted as soon as may be; an unknown one is ReplicaNotFound; ordinary accounts may not."""
    rse = served(world)
    (did,) = registered(world, rse)
    world.root.set_tombstone([{**did, 'rse': rse}])
    name = unique('none')
    with raises(ReplicaNotFound, f'Replica {world.scope}:{name} on RSE {rse} could not be found.'):
        world.root.set_tombstone([{'scope': world.scope, 'name': name, 'rse': rse}])


@case(ReplicaClient.set_tombstone, differs='a denial is 401 and an unknown RSE 404; Rucio answers 500 to both')
def refuses_tombstones(world: World) -> None:
    """wants an RSE that there is, and the permission."""
    (did,) = registered(world, world.rse)
    with raises(AccessDenied, 'can not set tombstones'):
        world.user.set_tombstone([{**did, 'rse': world.rse}])
    with raises(RSENotFound):
        world.root.set_tombstone([{**did, 'rse': unique_rse()}])


@case(TouchClient.touch)
def touches(world: World) -> None:
    """says that a file or dataset was used; nothing is kept of it. Containers are refused by the client."""
    (did,) = registered(world, world.rse)
    equal(world.user.touch(**did), None)
    equal(world.user.touch(**world.dataset(), rse=world.rse), None)
    with raises(UnsupportedDIDType):
        world.user.touch(**world.container())
