"""Reading DIDs (spec/dids.md 2.3, 2.5, 2.9 to 2.14, 2.20, 2.24, 3)."""

import uuid

from rucio.client import Client
from rucio.client.didclient import DIDClient
from rucio.common.exception import DataIdentifierNotFound, DeprecationError, KeyNotFound, UnsupportedOperation

from .cases import case, equal, has, lines, raises
from .world import World, key, pairs, unique


@case(DIDClient.get_did)
def gets(world: World) -> None:
    """returns dataset, container and file; the size of a container on demand."""
    file = world.new_file()
    dataset = world.dataset([file, world.new_file()])
    container = world.container(dataset)
    has(world.root.get_did(**dataset), {'type': 'DATASET', 'length': 2, 'bytes': 20, 'open': True})
    has(world.root.get_did(**container, dynamic=True), {'type': 'CONTAINER', 'length': 2, 'bytes': 20})
    has(world.root.get_did(**container, dynamic_depth='DATASET'), {'length': 2, 'bytes': 20})
    has(world.root.get_did(**key(file)), {'type': 'FILE', 'bytes': 10, 'length': 1, 'adler32': '0cc737eb', 'md5': None})
    for scope in (world.scope, unique('none')):
        with raises(DataIdentifierNotFound, f"Data identifier '{scope}:none' not found"):
            world.root.get_did(scope, 'none')


@case(
    DIDClient.get_did, differs='the key `did_type` comes in addition to `type`; files have `open` and `monotonic` too'
)
def names_the_type_twice(world: World) -> None:
    """gives the type under `did_type` and `type`."""
    has(world.root.get_did(**world.dataset()), {'type': 'DATASET', 'did_type': 'DATASET'})


@case(DIDClient.get_did)
def keeps_slashes(world: World) -> None:
    """finds a name with slashes."""
    did = {'scope': world.scope, 'name': f'/store/{unique("mc")}/meta/0001'}
    world.root.add_dataset(**did)
    has(world.root.get_did(**did), did)


@case(DIDClient.list_content)
def lists_content(world: World) -> None:
    """lists direct content with sizes; an unknown DID is DataIdentifierNotFound."""
    file = world.new_file()
    dataset = world.dataset([file])
    found = lines(world.root.list_content(**dataset), 'scope', 'name', 'type', 'bytes', 'adler32', 'md5')
    equal(found, [(file['scope'], file['name'], 'FILE', 10, '0cc737eb', None)])
    equal(lines(world.root.list_content(**world.container(dataset)), 'name', 'type'), [(dataset['name'], 'DATASET')])
    equal(list(world.root.list_content(**world.dataset())), [])
    with raises(DataIdentifierNotFound):
        list(world.root.list_content(world.scope, unique('none')))


@case(DIDClient.list_content_history)
def lists_history(world: World) -> None:
    """lists what was detached, once for each time."""
    file = world.new_file()
    dataset = world.dataset([file])
    equal(list(world.root.list_content_history(**dataset)), [])
    world.root.detach_dids(**dataset, dids=[key(file)])
    world.root.attach_dids(**dataset, dids=[key(file)])
    world.root.detach_dids(**dataset, dids=[key(file)])
    past = list(world.root.list_content_history(**dataset))
    equal(lines(past, 'scope', 'name', 'type', 'bytes'), [(file['scope'], file['name'], 'FILE', 10)] * 2)
    assert all(entry['created_at'] <= entry['deleted_at'] for entry in past), past


@case(DIDClient.list_content_history, differs='an unknown DID is DataIdentifierNotFound; Rucio answers an empty list')
def has_no_history_of_the_unknown(world: World) -> None:
    """an unknown DID is DataIdentifierNotFound."""
    with raises(DataIdentifierNotFound):
        list(world.root.list_content_history(world.scope, unique('none')))


@case(DIDClient.list_files)
def lists_files(world: World) -> None:
    """lists the files of a container through all levels, of a file the file itself."""
    files = world.new_files(3)
    container = world.container(world.container(world.dataset(files[:1]), world.dataset(files[1:])))
    found = lines(world.root.list_files(**container), 'scope', 'name', 'bytes', 'adler32')
    equal(found, sorted((file['scope'], file['name'], 10, '0cc737eb') for file in files))
    (entry,) = world.root.list_files(**key(files[0]), long=True)
    has(entry, {**key(files[0]), 'guid': None, 'events': None, 'lumiblocknr': None})
    with raises(DataIdentifierNotFound):
        list(world.root.list_files(world.scope, unique('none')))


@case(DIDClient.bulk_list_files)
def lists_files_of_many(world: World) -> None:
    """lists files with the DID that was asked for; unknown DIDs are skipped."""
    files = world.new_files(2)
    dataset = world.dataset(files)
    found = list(world.root.bulk_list_files([dataset, {'scope': world.scope, 'name': unique('none')}]))
    equal(lines(found, 'scope', 'name'), pairs(*files))
    for entry in found:
        equal(sorted(entry), ['adler32', 'bytes', 'events', 'guid', 'name', 'parent_name', 'parent_scope', 'scope'])
        has(entry, {'parent_scope': dataset['scope'], 'parent_name': dataset['name'], 'guid': None, 'events': None})


@case(DIDClient.get_dataset_by_guid)
def finds_by_guid(world: World) -> None:
    """returns exactly scope and name of the datasets with the file of that GUID."""
    guid = str(uuid.uuid4())
    dataset = world.dataset([world.new_file(meta={'guid': guid})])
    for text in (guid, guid.replace('-', '').upper()):
        equal(list(world.root.get_dataset_by_guid(text)), [dataset])
    with raises(DataIdentifierNotFound):
        list(world.root.get_dataset_by_guid(str(uuid.uuid4())))


@case(DIDClient.get_dataset_by_guid)
def finds_by_guid_for_any_program(world: World) -> None:
    """returns the datasets also to a program with a user agent of its own."""
    guid = str(uuid.uuid4())
    dataset = world.dataset([world.new_file(meta={'guid': guid})])
    equal(list(Client(user_agent='pilot').get_dataset_by_guid(guid)), [dataset])


@case(DIDClient.scope_list)
def lists_a_scope(world: World) -> None:
    """lists what is in nothing else of the scope; below a DID its content, through all levels if asked."""
    scope = world.new_scope()
    file = {**world.new_file(), 'scope': scope}
    dataset, lone = world.dataset([file], scope), world.dataset(scope=scope)
    container = {'scope': scope, 'name': unique('container')}
    world.root.add_container(**container)
    world.root.attach_dids(**container, dids=[dataset])
    equal(lines(world.root.scope_list(scope), 'scope', 'name'), pairs(container, lone))
    equal(lines(world.root.scope_list(**container), 'scope', 'name'), pairs(dataset))
    below = list(world.root.scope_list(**container, recursive=True))
    equal(lines(below, 'name', 'level'), sorted([(dataset['name'], 1), (file['name'], 2)]))
    equal([entry['parent'] for entry in below], [container, dataset])
    with raises(DataIdentifierNotFound):
        list(world.root.scope_list(scope, unique('none')))


@case(DIDClient.scope_list, differs='a scope without DIDs is DataIdentifierNotFound; Rucio answers an empty list')
def finds_no_scope(world: World) -> None:
    """a scope without DIDs is DataIdentifierNotFound."""
    with raises(DataIdentifierNotFound):
        list(world.root.scope_list(world.new_scope()))


@case(DIDClient.list_parent_dids)
def lists_parents(world: World) -> None:
    """lists the direct parents."""
    dataset = world.dataset()
    equal(list(world.root.list_parent_dids(**dataset)), [])
    container = world.container(dataset)
    world.container(container)
    found = lines(world.root.list_parent_dids(**dataset), 'scope', 'name', 'type')
    equal(found, [(container['scope'], container['name'], 'CONTAINER')])


@case(DIDClient.list_parent_dids, differs='an unknown DID is DataIdentifierNotFound; Rucio answers an empty list')
def has_no_parents_of_the_unknown(world: World) -> None:
    """an unknown DID is DataIdentifierNotFound."""
    with raises(DataIdentifierNotFound):
        list(world.root.list_parent_dids(world.scope, unique('none')))


@case(DIDClient.list_dids)
def searches(world: World) -> None:
    """finds collections by a name pattern; an unknown type is UnsupportedOperation."""
    dataset, container = world.dataset(), world.container()
    filters = [{'name': dataset['name'][:-2] + '*'}, {'name': container['name']}]
    equal(sorted(world.root.list_dids(world.scope, filters)), sorted([dataset['name'], container['name']]))
    (entry,) = world.root.list_dids(world.scope, filters, did_type='dataset', long=True)
    has(entry, {**dataset, 'did_type': 'DATASET'})
    with raises(UnsupportedOperation):
        world.root.list_dids(world.scope, filters, did_type='whatever')


@case(DIDClient.list_dids)
def searches_by_metadata(world: World) -> None:
    """takes conditions that hold together in one dictionary and either in several, with every operator, all types."""
    campaign = unique('campaign')
    small, large = world.dataset(world.new_files(1)), world.dataset(world.new_files(3))
    (loose,) = [key(file) for file in world.root.list_files(**small)]
    for number, did in enumerate([small, large, loose]):
        world.root.set_metadata(**did, key='campaign', value=campaign)
        world.root.set_metadata(**did, key='run_number', value=number)

    def found(*filters: dict[str, object], did_type: str = 'collection') -> list[str]:
        given = [{'campaign': campaign, **group} for group in filters]
        return sorted(world.root.list_dids(world.scope, given, did_type=did_type))

    both = sorted([small['name'], large['name']])
    equal(found({}), both)
    equal(found({}, did_type='all'), sorted([*both, loose['name']]))
    equal(found({}, did_type='file'), [loose['name']])
    equal(found({'run_number': 1}), [large['name']])
    equal(found({'run_number.gt': 0}), [large['name']])
    equal(found({'run_number.gte': 0, 'run_number.lt': 1}), [small['name']])
    equal(found({'run_number.ne': 0}), [large['name']])
    equal(found({'length.lte': 1}), [small['name']])
    equal(found({'name': small['name'][:-1] + '*', 'length': 1}, {'length.gt': 2}), both)
    equal(found({'run_number': 7}, {'run_number': 8}), [])
    with raises(KeyNotFound):
        found({'run_number.about': 0})


@case(DIDClient.list_dids_extended)
def is_deprecated(world: World) -> None:
    """is refused by the client itself."""
    with raises(DeprecationError, 'Please use list_dids instead'):
        world.root.list_dids_extended(world.scope, [{}])


@case(DIDClient.list_did_rules)
def lists_rules(world: World) -> None:
    """lists the rules placed on a DID."""
    did = {'scope': world.scope, 'name': unique('dataset')}
    rule = {'copies': 1, 'rse_expression': world.rse, 'account': 'root'}
    world.root.set_local_account_limit('root', world.rse, 1000)
    world.root.add_dataset(**did, rules=[rule])
    (found,) = world.root.list_did_rules(**did)
    has(found, {**did, **rule})


@case(DIDClient.list_associated_rules_for_file)
def lists_rules_of_a_file(world: World) -> None:
    """lists the rules that hold a lock on a file."""
    file = world.new_file()
    dataset = world.dataset([file])
    world.root.set_local_account_limit('root', world.rse, 1000)
    (rule,) = world.root.add_replication_rule([dataset], 1, world.rse)
    equal([found['id'] for found in world.root.list_associated_rules_for_file(**key(file))], [rule])
