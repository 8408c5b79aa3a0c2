"""Usage of RSEs (spec/rses.md 1.24 to 1.26, 7)."""

from rucio.client.rseclient import RSEClient
from rucio.common.exception import AccessDenied, RSENotFound

from .cases import case, equal, has, lines, raises
from .world import World, unique_rse


@case(RSEClient.set_rse_usage)
def sets_usage(world: World) -> None:
    """sets what a source says, as a whole and exactly; what it leaves out is unknown."""
    rse = world.new_rse()
    huge = 2**53 + 1
    equal(world.root.set_rse_usage(rse, 'storage', used=huge, free=huge + 2, files=3), True)
    said = {'source': 'storage'}
    (entry,) = world.root.get_rse_usage(rse, said)
    has(entry, {'rse': rse, 'used': huge, 'free': huge + 2, 'total': 2 * huge + 2, 'files': 3})
    equal(world.root.set_rse_usage(rse, 'storage', used=None, free=5), True)
    (entry,) = world.root.get_rse_usage(rse, said)
    has(entry, {'used': None, 'free': 5, 'total': 5, 'files': None})
    with raises(RSENotFound):
        world.root.set_rse_usage(unique_rse(), 'storage', used=1, free=1)


@case(RSEClient.set_rse_usage)
def refuses_to_set_usage(world: World) -> None:
    """is for root alone; an admin is not enough."""
    admin = world.new_admin()
    for client in (world.user, admin):
        with raises(AccessDenied, f'can not update RSE usage information for RSE {world.rse}'):
            client.set_rse_usage(world.rse, 'storage', used=1, free=1)


@case(RSEClient.get_rse_usage)
def gets_usage(world: World) -> None:
    """returns what each source says, or one of them; by account that of the source rucio."""
    rse = world.new_rse()
    world.root.set_rse_usage(rse, 'storage', used=10, free=90)
    equal(lines(world.user.get_rse_usage(rse), 'source', 'total'), [('rucio', 0), ('storage', 100)])
    (entry,) = world.user.get_rse_usage(rse, {'source': 'storage'})
    has(entry, {'source': 'storage', 'rse': rse, 'rse_id': world.root.get_rse(rse)['id'], 'used': 10, 'free': 90})
    by_account = {entry['source']: entry for entry in world.user.get_rse_usage(rse, {'per_account': True})}
    equal(by_account['rucio']['account_usages'], [])
    assert 'account_usages' not in by_account['storage'], by_account
    equal(list(world.user.get_rse_usage(rse, {'source': 'nobody'})), [])
    with raises(RSENotFound):
        list(world.user.get_rse_usage(unique_rse()))


@case(RSEClient.list_rse_usage_history)
def lists_no_history(world: World) -> None:
    """lists nothing for an RSE about which nobody said anything."""
    equal(list(world.user.list_rse_usage_history(world.new_rse())), [])
    with raises(RSENotFound):
        list(world.user.list_rse_usage_history(unique_rse()))


@case(RSEClient.list_rse_usage_history, differs='every change is kept at once; Rucio notes the usage now and then')
def lists_history(world: World) -> None:
    """lists what the sources said, newest first, or one of them."""
    rse = world.new_rse()
    for used in (1, 2):
        world.root.set_rse_usage(rse, 'storage', used=used, free=10)
    world.root.set_rse_usage(rse, 'srm', used=3, free=10)
    said = [(entry['source'], entry['used'], entry['total']) for entry in world.user.list_rse_usage_history(rse)]
    equal(said, [('srm', 3, 13), ('storage', 2, 12), ('storage', 1, 11)])
    past = world.user.list_rse_usage_history(rse, {'source': 'storage'})
    equal([entry['used'] for entry in past], [2, 1])
