"""Distances between RSEs, and all RSEs at once (spec/rses.md 1.9 to 1.12, 1.29, 1.30, 4)."""

from typing import Any

from rucio.client.exportclient import ExportClient
from rucio.client.importclient import ImportClient
from rucio.client.rseclient import RSEClient
from rucio.common.exception import AccessDenied, ConfigNotFound, Duplicate, InvalidObject, RSENotFound

from .cases import case, equal, has, raises
from .world import World, unique_rse


def distance(world: World, source: str, destination: str) -> int | None:
    """The distance that was set; fails when there is none."""
    (entry,) = world.user.get_distance(source, destination)
    return entry['distance']


def pair(world: World, **parameters: Any) -> tuple[str, str]:
    """Two new RSEs, perhaps with a distance from the first one to the second one."""
    a, b = world.new_rse(), world.new_rse()
    if parameters:
        world.root.add_distance(a, b, parameters)
    return a, b


@case(RSEClient.add_distance)
def adds(world: World) -> None:
    """says how far it is from an RSE to another one, or both ways at once; all or nothing."""
    a, b = pair(world)
    equal(world.root.add_distance(a, b, {'distance': 3}), True)
    equal(distance(world, a, b), 3)
    equal(world.root.get_distance(b, a), [])
    with raises(Duplicate, f'Distance from {a} to {b} already exists!'):
        world.root.add_distance(a, b, {'distance': 4})
    with raises(Duplicate):
        world.root.add_distance(b, a, {'distance': 4}, bidirectional=True)
    equal(world.root.get_distance(b, a), [])
    a, b = pair(world)
    equal(world.root.add_distance(a, b, {'ranking': 5}, bidirectional=True), True)
    equal((distance(world, a, b), distance(world, b, a)), (5, 5))


@case(RSEClient.add_distance)
def refuses_to_add(world: World) -> None:
    """refuses unknown RSEs, and callers without permission before it looks."""
    for source, destination in ((world.rse, unique_rse()), (unique_rse(), world.rse)):
        with raises(RSENotFound):
            world.root.add_distance(source, destination, {'distance': 1})
    with raises(AccessDenied, 'can not add RSE distances'):
        world.user.add_distance(world.rse, unique_rse(), {'distance': 1})


@case(RSEClient.add_distance, differs='a distance that is no number is InvalidObject; in Rucio its database complains')
def refuses_words(world: World) -> None:
    """takes whole numbers, also none and those below."""
    a, b = pair(world)
    with raises(InvalidObject, 'distance'):
        world.root.add_distance(a, b, {'distance': 'far'})
    world.root.add_distance(a, b, {'distance': -1})
    equal(distance(world, a, b), -1)


@case(RSEClient.get_distance)
def gets(world: World) -> None:
    """returns a list of one distance with the RSEs that it is between, or of none."""
    a, b = pair(world, distance=3)
    (entry,) = world.user.get_distance(a, b)
    has(entry, {'src_rse': a, 'dest_rse': b, 'distance': 3, 'ranking': 3})
    ids = {'src_rse_id': world.root.get_rse(a)['id'], 'dest_rse_id': world.root.get_rse(b)['id']}
    has(entry, ids)
    new = unique_rse()
    world.root.update_rse(a, {'name': new})
    (entry,) = world.user.get_distance(new, b)
    has(entry, {'src_rse': new, 'distance': 3, **ids})
    equal(world.user.get_distance(b, new), [])
    for source, destination in ((world.rse, unique_rse()), (unique_rse(), world.rse)):
        with raises(RSENotFound):
            world.user.get_distance(source, destination)


@case(RSEClient.update_distance)
def updates(world: World) -> None:
    """changes a distance, or those of both ways; where there is none, none is made."""
    a, b = pair(world, distance=3)
    equal(world.root.update_distance(a, b, {'distance': 0}, bidirectional=True), True)
    equal((distance(world, a, b), world.root.get_distance(b, a)), (0, []))
    world.root.add_distance(b, a, {'distance': 1})
    equal(world.root.update_distance(a, b, {'distance': 7}), True)
    equal((distance(world, a, b), distance(world, b, a)), (7, 1))
    equal(world.root.update_distance(a, b, {}, bidirectional=True), True)
    equal((distance(world, a, b), distance(world, b, a)), (None, None))
    with raises(RSENotFound):
        world.root.update_distance(a, unique_rse(), {'distance': 1})
    with raises(AccessDenied, 'can not update RSE distances'):
        world.user.update_distance(a, b, {'distance': 1})


@case(RSEClient.delete_distance)
def deletes(world: World) -> None:
    """deletes a distance, or those of both ways, even if there is none."""
    a, b = pair(world)
    world.root.add_distance(a, b, {'distance': 1}, bidirectional=True)
    with raises(AccessDenied, 'can not update RSE distances'):
        world.user.delete_distance(a, b)
    for _ in range(2):
        equal(world.root.delete_distance(a, b), True)
        equal((world.root.get_distance(a, b), distance(world, b, a)), ([], 1))
    equal(world.root.delete_distance(a, b, bidirectional=True), True)
    equal(world.root.get_distance(b, a), [])
    with raises(RSENotFound):
        world.root.delete_distance(a, unique_rse())


@case(ExportClient.export_data)
def exports(world: World) -> None:
    """returns live RSEs with all that belongs to them, and the distances between them unless told otherwise."""
    a, b = pair(world, distance=3)
    world.root.update_rse(a, {'city': 'Bari'})
    world.root.set_rse_limits(a, 'MinFreeSpace', 10)
    world.root.add_protocol(a, {'scheme': 'mock', 'impl': 'rucio.rse.protocols.mock.Default'})
    gone = world.new_rse()
    world.root.delete_rse(gone)
    document = world.root.export_data()
    has(document['rses'][a], {'rse': a, 'vo': 'def', 'city': 'Bari', 'attributes': {a: True, 'city': 'Bari'}})
    settings = world.root.get_rse(a)
    has(document['rses'][a], {key: settings[key] for key in ('id', 'availability', 'protocols', 'lfn2pfn_algorithm')})
    has(document['rses'][a], {'MinFreeSpace': 10, 'verify_checksum': True, 'credentials': None})
    equal((document['rses'][b]['MinFreeSpace'], gone in document['rses']), (None, False))
    has(document['distances'][a][b], {'src_rse_id': settings['id'], 'distance': 3, 'ranking': 3})
    equal(list(world.root.export_data(distance=False)), ['rses'])


@case(ExportClient.export_data)
def refuses_to_export(world: World) -> None:
    """is for root alone; an admin is not enough."""
    for client in (world.user, world.new_admin()):
        with raises(AccessDenied, 'can not export data'):
            client.export_data()


def bring_in(world: World, data: dict[str, Any]) -> None:
    """Imports, unless the configuration of the server would disable all other RSEs."""
    try:
        assert world.root.get_config('importer').get('rse_sync_method') != 'hard', 'the import would disable RSEs'
    except ConfigNotFound:
        pass
    equal(world.root.import_data(data), 'Created')


@case(ImportClient.import_data)
def imports(world: World) -> None:
    """makes RSEs with their protocols, attributes, limit and distances."""
    a, b = unique_rse(), unique_rse()
    protocol = {'scheme': 'davs', 'hostname': 'h', 'port': 443, 'impl': 'rucio.rse.protocols.webdav.Default'}
    protocol |= {'prefix': '/p/', 'domains': {'wan': {'read': 1}}}
    record = {'rse_type': 'TAPE', 'city': 'Lyon', 'attributes': {'tier': 1}, 'protocols': [protocol], 'MinFreeSpace': 5}
    bring_in(world, {'rses': {a: record, b: {}}, 'distances': {a: {b: {'distance': 4}}}})
    has(world.root.get_rse(a), {'rse_type': 'TAPE', 'deterministic': True, 'availability': 7})
    has(world.root.list_rse_attributes(a), {a: True, 'city': 'Lyon', 'tier': '1'})
    equal(world.root.get_rse_limits(a), {'MinFreeSpace': 5})
    (entry,) = world.root.get_protocols(a)
    has(entry, {'scheme': 'davs', 'hostname': 'h', 'port': 443, 'prefix': '/p/'})
    equal((entry['domains']['wan']['read'], distance(world, a, b)), (1, 4))


@case(ImportClient.import_data)
def imports_what_was_exported(world: World) -> None:
    """brings RSEs and distances back to what an export said; one that was disabled is there again, as it was."""
    a, b = pair(world, distance=3)
    world.root.add_rse_attribute(a, 'tier', 1)
    world.root.add_protocol(a, {'scheme': 'mock', 'impl': 'rucio.rse.protocols.mock.Default', 'port': 1})
    before = (world.root.get_rse(a), world.root.get_rse(b))
    document = world.root.export_data()
    ours = {'rses': {rse: document['rses'][rse] for rse in (a, b)}, 'distances': {a: document['distances'][a]}}
    bring_in(world, ours)
    equal((world.root.get_rse(a), world.root.get_rse(b)), before)
    world.root.update_rse(a, {'availability_write': False, 'volatile': True})
    world.root.add_rse_attribute(a, 'tier', 2)
    world.root.update_protocols(a, 'mock', {'prefix': '/b'}, 'localhost', 1)
    world.root.update_distance(a, b, {'distance': 9})
    world.root.delete_rse(b)
    bring_in(world, ours)
    equal((world.root.get_rse(a), world.root.get_rse(b)), before)
    has(world.root.list_rse_attributes(a), {a: True, 'tier': '1'})
    equal(world.root.list_rse_attributes(b)[b], True)
    equal(distance(world, a, b), 3)


@case(ImportClient.import_data)
def refuses_to_import(world: World) -> None:
    """makes nothing when a name in the distances is unknown, or the caller has no permission."""
    rse = unique_rse()
    with raises(RSENotFound):
        world.root.import_data({'rses': {rse: {}}, 'distances': {rse: {unique_rse(): {'distance': 1}}}})
    with raises(InvalidObject, 'Problem validating import'):
        world.root.import_data({'rses': [{'rse': rse}]})
    with raises(AccessDenied, 'can not import data'):
        world.user.import_data({'rses': {rse: {}}})
    with raises(RSENotFound):
        world.root.get_rse(rse)
