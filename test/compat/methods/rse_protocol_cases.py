"""Protocols of RSEs (spec/rses.md 1.16 to 1.20, 3)."""

from typing import Any

from rucio.client.rseclient import RSEClient
from rucio.common.exception import (
    AccessDenied,
    Duplicate,
    InvalidObject,
    RSENotFound,
    RSEOperationNotSupported,
    RSEProtocolDomainNotSupported,
    RSEProtocolNotSupported,
    RSEProtocolPriorityError,
)

from .cases import case, equal, lines, raises
from .world import World, unique_rse

Protocol = dict[str, Any]

NO_LAN = {'read': None, 'write': None, 'delete': None}
NO_WAN = {**NO_LAN, 'third_party_copy_read': None, 'third_party_copy_write': None}


def protocol(scheme: str, **more: Any) -> Protocol:
    """The parameters of a protocol that serves nothing yet."""
    impl = 'rucio.rse.protocols.webdav.Default'
    return {'scheme': scheme, 'hostname': 'dav.example.org', 'port': 443, 'prefix': '/rucio/', 'impl': impl, **more}


def wan(**priorities: int | None) -> dict[str, Any]:
    """The parameter that gives a protocol priorities."""
    return {'domains': {'wan': priorities}}


def with_protocols(world: World, *protocols: Protocol) -> str:
    """A new RSE with protocols."""
    rse = world.new_rse()
    for params in protocols:
        world.root.add_protocol(rse, params)
    return rse


def priorities_of(world: World, rse: str, operation: str) -> dict[str, int | None]:
    """The priority of an operation in the WAN, by scheme."""
    return {entry['scheme']: entry['domains']['wan'][operation] for entry in world.root.get_protocols(rse)}


@case(RSEClient.add_protocol)
def adds(world: World) -> None:
    """gives an RSE a protocol; operations without a priority are not served."""
    rse = world.new_rse()
    params = protocol('davs', domains={'lan': {'read': 1}, 'wan': {'read': 0, 'third_party_copy_read': 2}})
    equal(world.root.add_protocol(rse, {**params, 'extended_attributes': {'space': ['a', 1]}}), True)
    domains = {'lan': {**NO_LAN, 'read': 1}, 'wan': {**NO_WAN, 'read': 0, 'third_party_copy_read': 2}}
    (entry,) = world.root.get_protocols(rse)
    equal(entry, {**params, 'domains': domains, 'extended_attributes': {'space': ['a', 1]}})


@case(RSEClient.add_protocol)
def adds_a_simple_one(world: World) -> None:
    """needs an implementation and nothing else; the same scheme may serve on another port."""
    rse = world.new_rse()
    impl = 'rucio.rse.protocols.mock.Default'
    equal(world.root.add_protocol(rse, {'scheme': 'mock', 'impl': impl}), True)
    equal(world.root.add_protocol(rse, {'scheme': 'mock', 'impl': impl, 'port': 1}), True)
    default = {'scheme': 'mock', 'impl': impl, 'hostname': 'localhost', 'port': 0, 'prefix': ''}
    default |= {'domains': {'lan': NO_LAN, 'wan': NO_WAN}, 'extended_attributes': None}
    equal(world.root.get_protocols(rse), [default, {**default, 'port': 1}])
    with raises(InvalidObject, 'Missing values!'):
        world.root.add_protocol(rse, {'scheme': 'davs'})
    with raises(InvalidObject, 'For SRM, extended_attributes and web_service_path must be specified'):
        world.root.add_protocol(rse, protocol('srm'))


@case(RSEClient.add_protocol)
def refuses_to_add(world: World) -> None:
    """refuses a protocol twice, bad domains, operations and priorities, and callers without permission."""
    rse = with_protocols(world, protocol('davs'))
    with raises(Duplicate, "Protocol 'davs' on port 443 already registered for  "):
        world.root.add_protocol(rse, protocol('davs', prefix='/other/'))
    with raises(RSEProtocolDomainNotSupported, "The protocol domain 'moon' is not defined in the schema."):
        world.root.add_protocol(rse, protocol('root', domains={'moon': {'read': 1}}))
    with raises(RSEOperationNotSupported, "Operation 'guess' not defined in schema."):
        world.root.add_protocol(rse, protocol('root', **wan(guess=1)))
    with raises(RSEProtocolPriorityError, "The provided priority (-1) for operation 'read' in domain 'wan'"):
        world.root.add_protocol(rse, protocol('root', **wan(read=-1)))
    with raises(AccessDenied, f'can not add protocols to RSE {rse}'):
        world.user.add_protocol(rse, protocol('root'))
    equal(lines(world.root.get_protocols(rse), 'scheme', 'prefix'), [('davs', '/rucio/')])
    world.root.delete_rse(rse)
    for name in (rse, unique_rse()):
        with raises(RSENotFound):
            world.root.add_protocol(name, protocol('root'))


@case(RSEClient.get_protocols)
def gets(world: World) -> None:
    """returns all protocols to everybody, by host, scheme and port, whatever operation they are asked for."""
    schemes = ('root', 'davs', 'https')
    rse = with_protocols(world, *(protocol(scheme) for scheme in schemes), protocol('s3', hostname='a.example.org'))
    for wanted in ({}, {'operation': 'delete', 'default': True, 'protocol_domain': 'lan'}):
        found = world.user.get_protocols(rse, **wanted)
        equal([entry['scheme'] for entry in found], ['s3', 'davs', 'https', 'root'])
    with raises(RSEProtocolNotSupported, 'No protocols found for this RSE'):
        world.user.get_protocols(world.new_rse())
    with raises(RSENotFound):
        world.user.get_protocols(unique_rse())


@case(RSEClient.get_protocols)
def gets_settings(world: World) -> None:
    """returns, for a scheme, the settings of the RSE with the protocols of all schemes."""
    rse = with_protocols(world, protocol('davs'), protocol('root'))
    settings = world.root.get_rse(rse)
    del settings['availability']
    for scheme in ('root', 'none'):
        equal(world.user.get_protocols(rse, scheme=scheme), settings)
    equal([entry['scheme'] for entry in settings['protocols']], ['davs', 'root'])


@case(RSEClient.update_protocols)
def updates(world: World) -> None:
    """changes what it names: single priorities, but extended attributes as a whole."""
    params = protocol('davs', **wan(read=1, write=2), extended_attributes={'a': 1, 'b': 2})
    rse = with_protocols(world, params)
    change = {'prefix': '/new/', **wan(write=None, delete=0), 'extended_attributes': {'a': 3}}
    equal(world.root.update_protocols(rse, 'davs', change, 'dav.example.org', 443), True)
    domains = {'lan': NO_LAN, 'wan': {**NO_WAN, 'read': 1, 'delete': 0}}
    equal(world.root.get_protocols(rse), [{**params, **change, 'domains': domains}])


@case(RSEClient.update_protocols)
def refuses_to_update(world: World) -> None:
    """needs scheme, host and port of a protocol that there is; refuses the place of another one, and many callers."""
    rse = with_protocols(world, protocol('davs'), protocol('davs', port=8443))
    before = world.root.get_protocols(rse)
    place = ('dav.example.org', 443)
    for where, text in (((), 'None'), (('dav.example.org',), 'dav.example.org'), (('moon', 443), 'moon')):
        with raises(RSEProtocolNotSupported, f"RSE '{rse}' does not support protocol 'davs' for hostname '{text}'"):
            world.root.update_protocols(rse, 'davs', {'prefix': '/new/'}, *where)
    with raises(Duplicate, "Protocol 'davs' on port 443 already registered for  "):
        world.root.update_protocols(rse, 'davs', {'port': 8443}, *place)
    with raises(RSEProtocolPriorityError):
        world.root.update_protocols(rse, 'davs', {'prefix': '/new/', **wan(read='first')}, *place)
    with raises(AccessDenied, f'can not update protocols from RSE {rse}'):
        world.user.update_protocols(rse, 'davs', {'prefix': '/new/'}, *place)
    equal(world.root.get_protocols(rse), before)
    with raises(RSENotFound):
        world.root.update_protocols(unique_rse(), 'davs', {}, *place)


@case(RSEClient.update_protocols, differs='scheme, host and port stay; Rucio moves the protocol')
def keeps_the_place(world: World) -> None:
    """moves no protocol."""
    rse = with_protocols(world, protocol('davs'))
    equal(world.root.update_protocols(rse, 'davs', {'port': 8443, 'prefix': '/new/'}, 'dav.example.org', 443), True)
    equal(lines(world.root.get_protocols(rse), 'port', 'prefix'), [(443, '/new/')])


@case(RSEClient.delete_protocols)
def deletes(world: World) -> None:
    """removes the protocols of a scheme, at a host, at a port; none is RSEProtocolNotSupported."""
    hosts = [protocol('davs', hostname=host, port=port) for host in ('a', 'b', 'c') for port in (1, 2)]
    rse = with_protocols(world, protocol('root'), *hosts)
    with raises(AccessDenied, f'can not delete protocols from RSE {rse}'):
        world.user.delete_protocols(rse, 'davs')
    for where, left in (
        (('davs', 'a', 1), [('dav.example.org', 443), ('a', 2), ('b', 1), ('b', 2), ('c', 1), ('c', 2)]),
        (('davs', 'b'), [('dav.example.org', 443), ('a', 2), ('c', 1), ('c', 2)]),
        (('davs',), [('dav.example.org', 443)]),
    ):
        equal(world.root.delete_protocols(rse, *where), True)
        equal(lines(world.root.get_protocols(rse), 'hostname', 'port'), sorted(left))
        with raises(RSEProtocolNotSupported, f"RSE '{rse}' does not support protocol 'davs'"):
            world.root.delete_protocols(rse, *where)
    with raises(RSENotFound):
        world.root.delete_protocols(unique_rse(), 'davs')


@case(RSEClient.swap_protocols)
def swaps(world: World) -> None:
    """exchanges the priorities of two schemes for one operation; without one of the schemes it does nothing."""
    rse = with_protocols(world, protocol('davs', **wan(read=1, write=1)), protocol('root', **wan(read=2, write=2)))
    equal(world.root.swap_protocols(rse, 'wan', 'read', 'davs', 'root'), True)
    equal(priorities_of(world, rse, 'read'), {'davs': 2, 'root': 1})
    equal(priorities_of(world, rse, 'write'), {'davs': 1, 'root': 2})
    equal(world.root.swap_protocols(rse, 'wan', 'read', 'davs', 'none'), False)
    equal(priorities_of(world, rse, 'read'), {'davs': 2, 'root': 1})
    with raises(AccessDenied):
        world.user.swap_protocols(rse, 'wan', 'read', 'davs', 'root')
