"""Where files lie on RSEs (spec/rses.md 6)."""

from typing import Any

from rucio.client.rseclient import RSEClient
from rucio.common.exception import (
    InvalidPath,
    ReplicaNotFound,
    RSENotFound,
    RSEOperationNotSupported,
    RSEProtocolDomainNotSupported,
    RSEProtocolNotSupported,
)

from .cases import case, equal, raises
from .world import World, unique, unique_rse


def served(world: World, scheme: str, rse: str | None = None, **priorities: int) -> str:
    """An RSE with one more protocol, on a host of the scheme's name."""
    rse = rse or world.new_rse()
    impl = 'rucio.rse.protocols.webdav.Default'
    params: dict[str, Any] = {'scheme': scheme, 'hostname': scheme, 'port': 1, 'prefix': '/p', 'impl': impl}
    world.root.add_protocol(rse, {**params, 'domains': {'wan': priorities}})
    return rse


@case(RSEClient.lfns2pfns)
def translates(world: World) -> None:
    """says where files would lie, known or not: by their hash; scopes of users and groups are folders."""
    rse = served(world, 'davs', write=1)
    paths = {
        'foo:bar': 'foo/4e/99/bar',
        'user.jdoe:a.root': 'user/jdoe/f6/00/a.root',
        'group.phys-higgs:sub.dir.file': 'group/phys-higgs/77/78/sub.dir.file',
        'test:a/b/c.root': 'test/54/1a/a/b/c.root',
        'test:name with space': 'test/7b/c6/name with space',
    }
    pfns = {lfn: f'davs://davs:1/p/{path}' for lfn, path in paths.items()}
    equal(world.user.lfns2pfns(rse, list(paths)), pfns)


@case(RSEClient.lfns2pfns)
def translates_as_the_rse_says(world: World) -> None:
    """follows the attribute lfn2pfn_algorithm of the RSE and the implementation of the protocol."""
    rse = world.new_rse()
    world.root.add_rse_attribute(rse, 'lfn2pfn_algorithm', 'identity')
    place = {'scheme': 'srm', 'hostname': 'srm.example.org', 'port': 8443, 'prefix': '/pnfs'}
    manner = {'impl': 'rucio.rse.protocols.gfal.Default', 'domains': {'wan': {'write': 1}}}
    service = {'web_service_path': '/srm/v2?SFN='}
    world.root.add_protocol(rse, {**place, **manner, 'extended_attributes': service})
    pfn = 'srm://srm.example.org:8443/srm/v2?SFN=/pnfs/user/jdoe/a.root'
    equal(world.root.lfns2pfns(rse, ['user.jdoe:a.root']), {'user.jdoe:a.root': pfn})


@case(RSEClient.lfns2pfns)
def prefers(world: World) -> None:
    """takes the protocol of the lowest priority among those that serve the operation, the domain and the schemes."""
    rse = served(world, 'root', read=1, write=3, delete=0)
    served(world, 'davs', rse, read=2, write=1, third_party_copy_read=1)
    served(world, 'https', rse, read=4)
    for wish, scheme in (
        ({}, 'davs'),
        ({'operation': 'read'}, 'root'),
        ({'operation': 'delete'}, 'root'),
        ({'operation': 'third_party_copy_read', 'protocol_domain': 'wan'}, 'davs'),
        ({'scheme': 'root'}, 'root'),
        ({'scheme': 'https,davs', 'operation': 'read'}, 'davs'),
    ):
        equal((wish, world.root.lfns2pfns(rse, ['s:n'], **wish)), (wish, {'s:n': f'{scheme}://{scheme}:1/p/s/83/01/n'}))


@case(RSEClient.lfns2pfns)
def refuses(world: World) -> None:
    """says when no protocol fits, when domain or operation are unknown, and when there is nothing to translate."""
    rse = served(world, 'davs', write=1)
    for wish in ({'operation': 'read'}, {'scheme': 'root'}, {'protocol_domain': 'lan'}):
        with raises(RSEProtocolNotSupported, 'No protocol for provided settings found'):
            world.root.lfns2pfns(rse, ['s:n'], **wish)
    with raises(RSEOperationNotSupported, 'Operation guess is not supported'):
        world.root.lfns2pfns(rse, ['s:n'], operation='guess')
    with raises(RSEProtocolDomainNotSupported, 'Domain moon not supported'):
        world.root.lfns2pfns(rse, ['s:n'], protocol_domain='moon')
    with raises(ReplicaNotFound, 'No replicas found'):
        world.root.lfns2pfns(rse, [])
    world.root.delete_rse(rse)
    for name in (rse, unique_rse()):
        with raises(RSENotFound):
            world.root.lfns2pfns(name, ['s:n'])


@case(RSEClient.lfns2pfns, differs='what is no LFN is InvalidPath; Rucio answers RucioException')
def refuses_what_is_no_lfn(world: World) -> None:
    """refuses an LFN without a colon, by name."""
    with raises(InvalidPath, 'LFN(s) in invalid format: no-lfn'):
        world.root.lfns2pfns(served(world, 'davs', write=1), ['s:n', 'no-lfn'])


@case(RSEClient.lfns2pfns)
def finds(world: World) -> None:
    """says where the replicas lie if the RSE is not deterministic; files without a replica are left out."""
    rse = served(world, 'davs', world.new_rse(deterministic=False), read=1, write=1, delete=1)
    file = world.new_file(pfn=f'davs://davs:1/p/dir/{unique("file")}')
    world.root.attach_dids(**world.dataset(), dids=[file], rse=rse)
    lfn = f'{file["scope"]}:{file["name"]}'
    equal(world.root.lfns2pfns(rse, [lfn, f'{world.scope}:none']), {lfn: file['pfn']})
