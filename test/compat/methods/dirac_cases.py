"""DIRAC's registration of files (spec/access.md 11)."""

from rucio.client.diracclient import DiracClient
from rucio.common.exception import (
    AccessDenied,
    DataIdentifierNotFound,
    InsufficientAccountLimit,
    RSENotFound,
    UnsupportedOperation,
)
from rucio.common.utils import generate_uuid

from .cases import case, equal, lines, raises
from .world import World, unique


def any_rse(world: World) -> str:
    """An RSE that the rules of datasets may use."""
    rse = world.new_rse()
    world.root.add_rse_attribute(rse, 'ANY', 'true')
    world.root.set_local_account_limit('root', rse, 10**12)
    return rse


def folder(world: World) -> str:
    """A path whose collections are all in the scope of the world."""
    return f'/{world.scope}/{world.scope}/{unique("cont")}'


@case(DiracClient.add_files)
def adds(world: World) -> None:
    """adds files as DIRAC's RucioFileCatalogClient does, with replica and rule, dataset and containers."""
    rse, path = any_rse(world), folder(world)
    lfns = [
        {'lfn': f'{path}/data/{name}', 'rse': rse, 'bytes': 5, 'adler32': '0cc737eb', 'guid': generate_uuid()}
        for name in ('f', 'g')
    ]
    equal(world.root.add_files(lfns=lfns, ignore_availability=True, parents_metadata={f'{path}/data': {'project': 'mu'}}), True)
    scope, dataset = world.scope, f'{path}/data'
    equal(lines(world.root.list_content(scope, dataset), 'name', 'bytes'), [(lfn['lfn'], 5) for lfn in lfns])
    equal(lines(world.root.list_content(scope, path), 'name', 'type'), [(dataset, 'DATASET')])
    equal(lines(world.root.list_content(f'{scope}', f'/{scope}/{scope}'), 'name', 'type')[0][1], 'CONTAINER')
    equal(world.root.get_metadata(scope, dataset)['project'], 'mu')
    for lfn in lfns:
        equal(lines(world.root.list_did_rules(scope, lfn['lfn']), 'rse_expression', 'state'), [(rse, 'OK')])
    equal(lines(world.root.list_did_rules(scope, dataset), 'rse_expression'), [('ANY=true',)])
    equal(world.root.add_files(lfns=lfns), True)


@case(DiracClient.add_files)
def adds_all_or_none(world: World) -> None:
    """adds all files or none."""
    rse, path = any_rse(world), folder(world)
    good = {'lfn': f'{path}/data/f', 'rse': rse, 'bytes': 5, 'adler32': '0cc737eb'}
    with raises(RSENotFound):
        world.root.add_files([good, {**good, 'lfn': f'{path}/data/g', 'rse': unique('NONE').upper()}])
    with raises(UnsupportedOperation):
        world.root.add_files([good, {**good, 'lfn': f'{path}/data/sub/g'}])
    with raises(DataIdentifierNotFound):
        world.root.get_did(world.scope, f'{path}/data/f')


@case(DiracClient.add_files)
def keeps_to_rights_and_quotas(world: World) -> None:
    """refuses accounts without right in the scope, and without quota on the RSE."""
    rse, path = any_rse(world), folder(world)
    with raises(AccessDenied):
        world.user.add_files([{'lfn': f'{path}/data/f', 'rse': rse, 'bytes': 5, 'adler32': '0cc737eb'}])
    own = f'/{world.user_scope}/{world.user_scope}/{unique("cont")}/data/f'
    world.root.set_local_account_limit(world.account, rse, 10)
    with raises(InsufficientAccountLimit):
        world.user.add_files([{'lfn': own, 'rse': rse, 'bytes': 50, 'adler32': '0cc737eb'}])
