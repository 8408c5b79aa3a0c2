"""Attaching, detaching and statuses (spec/dids.md 2.4, 2.6 to 2.8)."""

from rucio.client.didclient import DIDClient
from rucio.common.exception import (
    AccessDenied,
    DataIdentifierNotFound,
    DuplicateContent,
    FileAlreadyExists,
    FileConsistencyMismatch,
    RSEProtocolNotSupported,
    UnsupportedOperation,
    UnsupportedStatus,
)

from .cases import case, equal, has, lines, raises
from .world import Did, World, key, pairs, unique


def content(world: World, did: Did) -> list[tuple[str, str]]:
    return lines(world.root.list_content(**did), 'scope', 'name')


@case(DIDClient.attach_dids)
def attaches(world: World) -> None:
    """attaches datasets to a container; twice is DuplicateContent."""
    dataset, container = world.dataset(), world.container()
    equal(world.root.attach_dids(**container, dids=[dataset]), True)
    equal(content(world, container), pairs(dataset))
    with raises(DuplicateContent):
        world.root.attach_dids(**container, dids=[dataset])


@case(DIDClient.attach_dids)
def refuses_to_attach(world: World) -> None:
    """refuses cycles, mixed content, closed collections and what is unknown."""
    dataset, inner = world.dataset(world.new_files(1)), world.container()
    outer = world.container(inner)
    with raises(UnsupportedOperation, 'Circular attachment detected'):
        world.root.attach_dids(**inner, dids=[outer])
    with raises(UnsupportedOperation, 'Mixed collection is not allowed'):
        world.root.attach_dids(**world.container(), dids=[dataset, inner])
    with raises(DataIdentifierNotFound):
        world.root.attach_dids(**outer, dids=[{'scope': world.scope, 'name': unique('none')}])
    with raises(AccessDenied, 'can not add data identifiers to'):
        world.user.attach_dids(**outer, dids=[dataset])
    world.root.close(**outer)
    with raises(UnsupportedOperation, 'is closed'):
        world.root.attach_dids(**outer, dids=[dataset])


@case(DIDClient.attach_dids)
def needs_a_protocol_for_a_path(world: World) -> None:
    """a PFN is RSEProtocolNotSupported at an RSE without a protocol for it."""
    file = world.new_file(pfn='srm://example.org:8443/somewhere/else')
    with raises(RSEProtocolNotSupported):
        world.root.attach_dids(**world.dataset(), dids=[file], rse=world.rse)


@case(DIDClient.detach_dids)
def detaches(world: World) -> None:
    """takes exactly the file's part from length and bytes, also of a closed dataset; it can come back."""
    first, second = world.new_file(10), world.new_file(7)
    dataset = world.dataset([first, second])
    world.root.close(**dataset)
    equal(world.root.detach_dids(**dataset, dids=[key(first)]), True)
    has(world.root.get_did(**dataset), {'length': 1, 'bytes': 7})
    world.root.set_status(**dataset, open=True)
    world.root.attach_dids(**dataset, dids=[key(first)])
    equal(content(world, dataset), pairs(first, second))


@case(DIDClient.detach_dids)
def refuses_to_detach(world: World) -> None:
    """refuses to detach a DID from itself or from where it is not."""
    dataset = world.dataset(world.new_files(1))
    with raises(UnsupportedOperation, 'Self-detach is not valid'):
        world.root.detach_dids(**dataset, dids=[dataset])
    with raises(DataIdentifierNotFound, 'not found under'):
        world.root.detach_dids(**dataset, dids=[{'scope': world.scope, 'name': unique('none')}])
    with raises(DataIdentifierNotFound):
        world.root.detach_dids(**world.dataset(), dids=[dataset])


@case(DIDClient.attach_dids_to_dids)
def attaches_to_many(world: World) -> None:
    """attaches to several DIDs, all or none."""
    datasets = [world.dataset(), world.dataset()]
    attachments = [{**did, 'dids': world.new_files(2), 'rse': world.rse} for did in datasets]
    equal(world.root.attach_dids_to_dids(attachments), True)
    equal([content(world, did) for did in datasets], [pairs(*entry['dids']) for entry in attachments])
    fresh = {**datasets[0], 'dids': world.new_files(1), 'rse': world.rse}
    with raises(DataIdentifierNotFound):
        world.root.attach_dids_to_dids([fresh, {**datasets[1], 'dids': world.new_files(1)}])
    equal(len(content(world, datasets[0])), 2)


@case(DIDClient.add_files_to_datasets)
def adds_files_to_datasets(world: World) -> None:
    """files again are FileAlreadyExists, unless duplicates are to be ignored; other bytes are a mismatch."""
    old, new = world.new_files(2), world.new_files(1)
    dataset = world.dataset()
    attachment = {**dataset, 'dids': old, 'rse': world.rse}
    equal(world.root.add_files_to_datasets([attachment]), True)
    with raises(FileAlreadyExists):
        world.root.add_files_to_datasets([attachment])
    equal(world.root.add_files_to_datasets([{**attachment, 'dids': old + new}], ignore_duplicate=True), True)
    equal(content(world, dataset), pairs(*old, *new))
    with raises(FileConsistencyMismatch):
        changed = [{**old[0], 'bytes': 99}]
        world.root.add_files_to_datasets([{**attachment, 'dids': changed}], ignore_duplicate=True)


@case(DIDClient.add_datasets_to_containers)
def adds_datasets_to_containers(world: World) -> None:
    """attaches datasets to containers; files do not belong there."""
    dataset, container, more = world.dataset(), world.container(), world.new_file()
    world.dataset([more])
    equal(world.root.add_datasets_to_containers([{**container, 'dids': [dataset]}]), True)
    equal(content(world, container), pairs(dataset))
    with raises(UnsupportedOperation, 'is forbidden'):
        world.root.add_datasets_to_containers([{**container, 'dids': [key(more)]}])


@case(DIDClient.add_containers_to_containers)
def adds_containers_to_containers(world: World) -> None:
    """attaches containers to containers; twice is DuplicateContent."""
    inner, outer = world.container(), world.container()
    equal(world.root.add_containers_to_containers([{**outer, 'dids': [inner]}]), True)
    equal(content(world, outer), pairs(inner))
    with raises(DuplicateContent):
        world.root.add_containers_to_containers([{**outer, 'dids': [inner]}])


@case(DIDClient.add_files_to_dataset)
def adds_files_to_a_dataset(world: World) -> None:
    """registers new files at an RSE; files again are FileAlreadyExists."""
    dataset, files = world.dataset(), world.new_files(2)
    equal(world.root.add_files_to_dataset(**dataset, files=files, rse=world.rse), True)
    equal(content(world, dataset), pairs(*files))
    with raises(FileAlreadyExists):
        world.root.add_files_to_dataset(**dataset, files=files, rse=world.rse)


def new_archive(world: World) -> Did:
    archive = {**world.new_file(), 'name': f'{unique("archive")}.zip'}
    world.dataset([archive])
    return key(archive)


@case(DIDClient.add_files_to_archive)
def adds_files_to_an_archive(world: World) -> None:
    """registers the constituents of an archive; a file that is none takes no content."""
    equal(world.root.add_files_to_archive(**new_archive(world), files=world.new_files(2)), True)
    plain = world.new_file()
    world.dataset([plain])
    with raises(UnsupportedOperation, 'is a file'):
        world.root.add_files_to_archive(**key(plain), files=world.new_files(1))


@case(DIDClient.list_archive_content)
def lists_an_archive(world: World) -> None:
    """lists the ten constituents of each of two archives."""
    for archive in (new_archive(world), new_archive(world)):
        files = world.new_files(10)
        world.root.add_files_to_archive(**archive, files=files)
        found = lines(world.root.list_archive_content(**archive), 'scope', 'name', 'bytes', 'adler32')
        equal(found, sorted((file['scope'], file['name'], 10, '0cc737eb') for file in files))


@case(DIDClient.add_datasets_to_container)
def adds_datasets_to_a_container(world: World) -> None:
    """attaches datasets to a container."""
    datasets, container = [world.dataset(), world.dataset()], world.container()
    equal(world.root.add_datasets_to_container(**container, dsns=datasets), True)
    equal(content(world, container), pairs(*datasets))


@case(DIDClient.add_containers_to_container)
def adds_containers_to_a_container(world: World) -> None:
    """attaches containers, and datasets just as well: the name of the call means nothing."""
    inner, dataset, outer = world.container(), world.dataset(), world.container()
    equal(world.root.add_containers_to_container(**outer, cnts=[inner]), True)
    equal(world.root.add_containers_to_container(**outer, cnts=[dataset]), True)
    equal(content(world, outer), pairs(inner, dataset))


@case(DIDClient.set_status)
def sets_the_status(world: World) -> None:
    """opens and closes; the status it has already, and other statuses, are refused."""
    did = world.dataset()
    equal(world.root.set_status(**did, open=False), True)
    equal(world.root.get_did(**did)['open'], False)
    with raises(UnsupportedOperation, 'cannot be changed'):
        world.root.set_status(**did, open=False)
    equal(world.root.set_status(**did, open=True), True)
    with raises(UnsupportedStatus):
        world.root.set_status(**did, close=True)
    with raises(AccessDenied, 'can not set status on data identifier'):
        world.user.set_status(**did, open=False)


@case(DIDClient.close)
def closes(world: World) -> None:
    """closes a collection; an unknown one is DataIdentifierNotFound."""
    did = world.dataset(world.new_files(3))
    equal(world.root.close(**did), True)
    has(world.root.get_did(**did), {'open': False, 'length': 3, 'bytes': 30})
    with raises(DataIdentifierNotFound):
        world.root.close(world.scope, unique('none'))
