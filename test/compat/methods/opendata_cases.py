"""Open data (spec/access.md 10)."""

from rucio.client.opendataclient import OpenDataClient
from rucio.common.exception import (
    AccessDenied,
    DataIdentifierNotFound,
    OpenDataDataIdentifierAlreadyExists,
    OpenDataDataIdentifierNotFound,
    OpenDataInvalidState,
    OpenDataInvalidStateUpdate,
    RucioException,
)

from .cases import case, equal, has, raises
from .world import Did, World, unique


def draft(world: World, files: list[Did] | None = None) -> Did:
    """A closed dataset in the catalogue of open data."""
    did = world.dataset(files)
    world.root.close(**did)
    world.root.add_opendata_did(**did)
    return did


def public(world: World) -> Did:
    """A public dataset."""
    did = draft(world)
    world.root.update_opendata_did(**did, state='public')
    return did


@case(OpenDataClient.get_opendata_host)
def knows_hosts(world: World) -> None:
    """is the host of the catalogue for both kinds of calls, unless the configuration names one."""
    equal(world.root.get_opendata_host(public=False), world.root.get_opendata_host(public=True))


@case(OpenDataClient.add_opendata_did)
def adds(world: World) -> None:
    """adds a DID as a draft; once only, and only one that exists."""
    did = world.dataset()
    equal(world.root.add_opendata_did(**did), True)
    has(world.root.get_opendata_did(**did), {**did, 'state': 'DRAFT', 'doi': None, 'record_id': None, 'rule': None})
    with raises(OpenDataDataIdentifierAlreadyExists):
        world.root.add_opendata_did(**did)
    with raises(DataIdentifierNotFound):
        world.root.add_opendata_did(scope=world.scope, name=unique('none'))


@case(OpenDataClient.add_opendata_did, differs='only the owner of the scope, root and admins may publish')
def protects_scopes(world: World) -> None:
    """refuses accounts that do not own the scope."""
    did = world.dataset()
    with raises(AccessDenied):
        world.user.add_opendata_did(**did)


@case(OpenDataClient.remove_opendata_did)
def removes(world: World) -> None:
    """removes a draft; what was public stays."""
    did = draft(world)
    equal(world.root.remove_opendata_did(**did), True)
    with raises(OpenDataDataIdentifierNotFound):
        world.root.remove_opendata_did(**did)
    with raises(OpenDataInvalidState):
        world.root.remove_opendata_did(**public(world))


@case(OpenDataClient.update_opendata_did)
def updates(world: World) -> None:
    """sets state, metadata, DOI and record, and answers the former values."""
    did = draft(world)
    doi, record_id = f'10.1234/{unique("doi")}', int(unique('x')[2:9], 16)
    equal(
        world.root.update_opendata_did(**did, state='public', meta={'title': 'x'}, doi=doi, record_id=record_id),
        {
            **did,
            'state_old': 'DRAFT',
            'state_new': 'PUBLIC',
            'meta_new': {'title': 'x'},
            'doi_old': None,
            'doi_new': doi,
            'record_id_old': None,
            'record_id_new': record_id,
        },
    )
    other = draft(world)
    for taken in ({'doi': doi}, {'record_id': record_id}):
        try:
            world.root.update_opendata_did(**other, **taken)
        except (RucioException, TypeError) as error:
            # The client cannot build these two errors from an answer: they want a DOI or a record.
            assert 'Duplicate' in type(error).__name__ or isinstance(error, TypeError), error
        else:
            raise AssertionError('two entries have the same name')


@case(OpenDataClient.update_opendata_did)
def keeps_to_the_states(world: World) -> None:
    """publishes closed DIDs only, suspends only what was public, and takes nothing back to draft."""
    did = world.dataset()
    world.root.add_opendata_did(**did)
    for state in ('public', 'suspended'):
        with raises(OpenDataInvalidStateUpdate):
            world.root.update_opendata_did(**did, state=state)
    with raises(OpenDataInvalidStateUpdate):
        world.root.update_opendata_did(**public(world), state='draft')


@case(OpenDataClient.get_opendata_did)
def shows(world: World) -> None:
    """shows metadata where they are asked for, and in public only what is public."""
    did = draft(world)
    world.root.update_opendata_did(**did, meta={'title': 'x'})
    assert 'meta' not in world.root.get_opendata_did(**did)
    equal(world.root.get_opendata_did(**did, include_metadata=True)['meta'], {'title': 'x'})
    with raises(OpenDataDataIdentifierNotFound):
        world.root.get_opendata_did(**did, public=True)
    world.root.update_opendata_did(**did, state='public')
    has(world.root.get_opendata_did(**did, public=True, include_doi=False), {**did, 'state': 'PUBLIC'})


@case(OpenDataClient.get_opendata_did)
def lists_files(world: World) -> None:
    """lists the files with their checksums, by the option of the configuration."""
    world.root.set_config_option('opendata', 'rse_expression', world.rse)
    try:
        file = {'scope': world.scope, 'name': unique('file'), 'bytes': 1, 'adler32': '0cc737eb'}
        did = draft(world, [file])
        shown = world.root.get_opendata_did(**did, include_files=True, include_download_urls=True)
        equal([entry['name'] for entry in shown['files']], [file['name']])
        has(shown['files_summary'], {'length': 1, 'replicas_missing': 1})
    finally:
        world.root.delete_config_option('opendata', 'rse_expression')


@case(OpenDataClient.list_opendata_dids)
def lists(world: World) -> None:
    """lists all entries, those of a state, or what is public."""
    did, other = public(world), draft(world)

    def names(**query: object) -> set[str]:
        return {entry['name'] for entry in world.root.list_opendata_dids(**query)['dids']}

    assert {did['name'], other['name']} <= names()
    assert other['name'] in names(state='draft') and did['name'] not in names(state='draft')
    assert did['name'] in names(public=True) and other['name'] not in names(public=True)
