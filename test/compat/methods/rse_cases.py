"""RSEs (spec/rses.md 1.1 to 1.5, 2, 5)."""

from rucio.client.rseclient import RSEClient
from rucio.common.exception import (
    AccessDenied,
    Duplicate,
    InputValidationError,
    InvalidObject,
    InvalidRSEExpression,
    RSENotFound,
    RSEOperationNotSupported,
)

from .cases import case, equal, has, lines, raises
from .world import World, unique, unique_rse


def names(world: World, expression: str) -> list[str]:
    """The RSEs that an expression chooses, in name order."""
    return sorted(entry['rse'] for entry in world.user.list_rses(expression))


@case(RSEClient.add_rse)
def adds(world: World) -> None:
    """creates an RSE: deterministic, on disk, available and empty, unless told otherwise; its name is an attribute."""
    rse = unique_rse()
    equal(world.root.add_rse(rse), True)
    has(world.root.get_rse(rse), {'deterministic': True, 'volatile': False, 'staging_area': False, 'availability': 7})
    equal(world.root.list_rse_attributes(rse), {rse: True})
    equal(lines(world.root.get_rse_usage(rse), 'source', 'used', 'free', 'files'), [('rucio', 0, None, 0)])


@case(RSEClient.add_rse)
def adds_with_properties(world: World) -> None:
    """takes every property; those that say where the RSE is are attributes too."""
    rse = unique_rse()
    where = {'city': 'Oslo', 'country_name': 'Norway', 'region_code': 'NO', 'continent': 'EU', 'time_zone': 'CET'}
    net = {'ISP': 'UNINETT', 'ASN': '224'}
    kind = {'deterministic': False, 'volatile': True, 'staging_area': True, 'rse_type': 'TAPE'}
    more = {'latitude': 59.9, 'longitude': 10.7, 'availability_write': False}
    equal(world.root.add_rse(rse, **where, **net, **kind, **more), True)
    has(world.root.get_rse(rse), {**kind, 'availability': 5, 'availability_read': True, 'availability_write': False})
    equal(world.root.list_rse_attributes(rse), {rse: True, **where, **net})
    (record,) = (entry for entry in world.root.list_rses() if entry['rse'] == rse)
    has(record, {**where, **net, **more})


@case(RSEClient.add_rse)
def refuses_to_add(world: World) -> None:
    """refuses a bad name, one that is taken, an availability given twice, and callers without permission."""
    for name in ('lower', 'TWO__BARS', '-BAR'):
        with raises(InvalidObject, 'Problem validating rse'):
            world.root.add_rse(name)
    with raises(Duplicate, f"RSE '{world.rse}' already exists!"):
        world.root.add_rse(world.rse)
    with raises(InputValidationError, "'availability' can not be specified with"):
        world.root.add_rse(unique_rse(), availability=7, availability_read=True)
    with raises(AccessDenied, 'can not add RSE'):
        world.user.add_rse(unique_rse())


@case(RSEClient.add_rse, differs='an unknown rse_type is InvalidObject; Rucio answers RucioException')
def refuses_a_type(world: World) -> None:
    """knows the types DISK and TAPE."""
    with raises(InvalidObject, 'Invalid rse_type: disk'):
        world.root.add_rse(unique_rse(), rse_type='disk')


@case(RSEClient.get_rse)
def gets(world: World) -> None:
    """returns the settings to everybody, some as attributes say; unknown and disabled ones are RSENotFound."""
    rse = world.new_rse(availability=4)
    found = world.user.get_rse(rse)
    flags = {'availability': 4, 'availability_read': True, 'availability_write': False, 'availability_delete': False}
    has(found, {'rse': rse, 'rse_type': 'DISK', **flags, 'domain': ['lan', 'wan'], 'protocols': [], 'qos_class': None})
    has(found, {'lfn2pfn_algorithm': 'hash', 'verify_checksum': True, 'sign_url': None, 'credentials': None})
    decided = {'lfn2pfn_algorithm': 'identity', 'verify_checksum': False, 'sign_url': 's3'}
    for key, value in decided.items():
        world.root.add_rse_attribute(rse, key, value)
    has(world.user.get_rse(rse), {**decided, 'id': found['id']})
    with raises(RSENotFound, 'cannot be found'):
        world.user.get_rse(unique_rse())
    world.root.delete_rse(rse)
    with raises(RSENotFound, f'RSE with id \'{found["id"]}\' cannot be found'):
        world.user.get_rse(rse)


@case(RSEClient.update_rse)
def updates(world: World) -> None:
    """changes what it names and nothing else; an unknown key or a missing permission changes nothing."""
    rse = world.new_rse(city='Bern', volatile=True)
    equal(world.root.update_rse(rse, {'availability_write': False, 'rse_type': 'TAPE', 'qos_class': 'gold'}), True)
    changed = {'availability': 5, 'rse_type': 'TAPE', 'qos_class': 'gold', 'volatile': True}
    has(world.root.get_rse(rse), changed)
    equal(world.root.update_rse(rse, {'city': 'Basel', 'qos_class': 'None'}), True)
    equal(world.root.list_rse_attributes(rse), {rse: True, 'city': 'Basel'})
    with raises(InputValidationError, "The key 'colour' does not exist for RSE properties."):
        world.root.update_rse(rse, {'volatile': False, 'colour': 'red'})
    with raises(AccessDenied, 'can not update RSE'):
        world.user.update_rse(rse, {'volatile': False})
    has(world.root.get_rse(rse), {**changed, 'qos_class': None})
    with raises(RSENotFound):
        world.root.update_rse(unique_rse(), {'volatile': False})


@case(RSEClient.update_rse)
def renames(world: World) -> None:
    """gives an RSE another name, under which it is the same RSE with all that it had."""
    rse, new = world.new_rse(), unique_rse()
    before = world.root.get_rse(rse)
    world.root.set_rse_limits(rse, 'MinFreeSpace', 5)
    world.root.add_rse_attribute(rse, 'tier', '2')
    equal(world.root.update_rse(rse, {'name': new}), True)
    equal(world.root.get_rse(new), {**before, 'rse': new})
    equal(world.root.list_rse_attributes(new), {new: True, 'tier': '2'})
    equal(world.root.get_rse_limits(new), {'MinFreeSpace': 5})
    with raises(RSENotFound):
        world.root.get_rse(rse)
    equal(world.root.add_rse(rse), True)


@case(RSEClient.update_rse, differs='a name that is taken is Duplicate; Rucio answers DatabaseException')
def refuses_to_rename(world: World) -> None:
    """gives no RSE the name of another one."""
    rse = world.new_rse()
    with raises(Duplicate, f"RSE '{world.rse}' already exists!"):
        world.root.update_rse(rse, {'name': world.rse})
    equal(world.root.get_rse(rse)['rse'], rse)


@case(RSEClient.delete_rse)
def deletes(world: World) -> None:
    """disables an RSE: no listing has it, its name stays taken, its attributes stay; twice is RSENotFound."""
    rse = world.new_rse(city='Wien')
    with raises(AccessDenied, 'can not delete RSE'):
        world.user.delete_rse(rse)
    equal(world.root.delete_rse(rse), True)
    assert rse not in [entry['rse'] for entry in world.root.list_rses()]
    with raises(Duplicate):
        world.root.add_rse(rse)
    equal(world.root.list_rse_attributes(rse), {'city': 'Wien'})
    for name in (rse, unique_rse()):
        with raises(RSENotFound):
            world.root.delete_rse(name)


@case(RSEClient.delete_rse)
def refuses_to_delete(world: World) -> None:
    """refuses an RSE that is not empty, and leaves it as it was."""
    rse = world.new_rse()
    world.root.set_rse_usage(rse, 'rucio', used=1, free=0)
    with raises(RSEOperationNotSupported, f"RSE '{rse}' is not empty"):
        world.root.delete_rse(rse)
    equal(world.root.get_rse(rse)['rse'], rse)


@case(RSEClient.delete_rse, differs='an RSE with a replica is not empty at once; Rucio counts them later')
def refuses_to_delete_files(world: World) -> None:
    """refuses an RSE that holds a file."""
    rse = world.new_rse()
    world.root.attach_dids(**world.dataset(), dids=world.new_files(1), rse=rse)
    with raises(RSEOperationNotSupported, f"RSE '{rse}' is not empty"):
        world.root.delete_rse(rse)


@case(RSEClient.list_rses)
def lists(world: World) -> None:
    """lists all live RSEs in name order with their properties; for an expression their names alone."""
    rse = world.new_rse(city='Rom', volatile=True)
    entries = list(world.user.list_rses())
    listed = [entry['rse'] for entry in entries]
    equal(listed, sorted(listed))
    (record,) = (entry for entry in entries if entry['rse'] == rse)
    has(record, {'id': world.root.get_rse(rse)['id'], 'city': 'Rom', 'volatile': True, 'availability': 7, 'vo': 'def'})
    has(record, {'deleted': False, 'deleted_at': None})
    equal(list(world.user.list_rses(rse)), [{'rse': rse}])


@case(RSEClient.list_rses)
def chooses(world: World) -> None:
    """understands tags, columns, comparisons and sets, from the left to the right without precedence."""
    site, tag = unique('site'), unique('tag')
    disk, tape = world.new_rse(), world.new_rse(rse_type='TAPE')
    for rse, tier in ((disk, 1), (tape, 20)):
        world.root.add_rse_attribute(rse, 'compat_site', site)
        world.root.add_rse_attribute(rse, 'compat_tier', tier)
    world.root.add_rse_attribute(disk, tag, True)
    here = f'compat_site={site}'
    both = sorted((disk, tape))
    for expression, chosen in (
        (here, both),
        (tag, [disk]),
        (f'{here}&rse_type=TAPE', [tape]),
        (f'{here}&compat_tier>9', [tape]),
        (rf'{here}\{tag}', [tape]),
        (f'{disk}|{tape}&{tag}', [disk]),
        (f'{tape}|({disk}&{tag})', both),
    ):
        equal((expression, names(world, expression)), (expression, chosen))


@case(RSEClient.list_rses)
def refuses_expressions(world: World) -> None:
    """refuses an expression that is wrong, or that chooses nothing; an unknown name is no exception."""
    for expression, message in (
        (f'({world.rse}', 'Problem with parentheses.'),
        (f'{world.rse}|', 'Expression does not comply to RSE Expression syntax'),
        (unique_rse(), 'RSE Expression resulted in an empty set.'),
        (f'{world.rse}&{unique_rse()}', 'RSE Expression resulted in an empty set.'),
    ):
        with raises(InvalidRSEExpression, message):
            list(world.user.list_rses(expression))
    with raises(InvalidObject, 'Invalid rse_type: tape'):
        list(world.user.list_rses('rse_type=tape'))
