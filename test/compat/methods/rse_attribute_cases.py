"""Attributes, limits and QoS policies of RSEs (spec/rses.md 1.6 to 1.8, 1.13 to 1.15, 1.21 to 1.23)."""

from rucio.client.rseclient import RSEClient
from rucio.common.exception import AccessDenied, Duplicate, InvalidRSEExpression, RSEAttributeNotFound, RSENotFound

from .cases import case, equal, raises
from .world import World, unique_rse


@case(RSEClient.add_rse_attribute)
def adds_attributes(world: World) -> None:
    """sets an attribute, and sets it anew: true and false in any case are booleans, numbers are texts."""
    rse = world.new_rse()
    texts = ((1, '1'), (0.5, '0.5'), ('', ''), ('a/b c', 'a/b c'))
    for value, kept in ((True, True), ('False', False), (None, None), *texts):
        equal(world.root.add_rse_attribute(rse, 'key', value), True)
        equal(world.root.list_rse_attributes(rse), {rse: True, 'key': kept})
    with raises(RSENotFound):
        world.root.add_rse_attribute(unique_rse(), 'key', 'x')
    with raises(AccessDenied, 'can not add RSE attributes'):
        world.user.add_rse_attribute(rse, 'key', 'x')


@case(RSEClient.list_rse_attributes)
def lists_attributes(world: World) -> None:
    """returns keys and values to everybody, of disabled RSEs too; the name is one of them until then."""
    rse = world.new_rse()
    world.root.add_rse_attribute(rse, 'tier', 2)
    equal(world.user.list_rse_attributes(rse), {rse: True, 'tier': '2'})
    world.root.delete_rse(rse)
    equal(world.user.list_rse_attributes(rse), {'tier': '2'})
    with raises(RSENotFound):
        world.user.list_rse_attributes(unique_rse())


@case(RSEClient.delete_rse_attribute)
def deletes_attributes(world: World) -> None:
    """takes an attribute away, even that of the name, without which no expression finds the RSE by name."""
    rse = world.new_rse()
    with raises(AccessDenied, 'can not delete RSE attributes'):
        world.user.delete_rse_attribute(rse, rse)
    equal(world.root.delete_rse_attribute(rse, rse), True)
    equal(world.root.list_rse_attributes(rse), {})
    with raises(InvalidRSEExpression):
        list(world.root.list_rses(rse))
    with raises(RSEAttributeNotFound, f"RSE attribute '{rse}' cannot be found"):
        world.root.delete_rse_attribute(rse, rse)


@case(RSEClient.set_rse_limits)
def sets_limits(world: World) -> None:
    """sets a limit, and sets it anew; limits of other names stay."""
    rse = world.new_rse()
    for value in (10, 2**53 + 1):
        equal(world.root.set_rse_limits(rse, 'MinFreeSpace', value), True)
        equal(world.root.set_rse_limits(rse, 'MaxSpaceAvailable', 20), True)
        equal(world.root.get_rse_limits(rse), {'MinFreeSpace': value, 'MaxSpaceAvailable': 20})
    with raises(RSENotFound):
        world.root.set_rse_limits(unique_rse(), 'MinFreeSpace', 1)
    with raises(AccessDenied, f'can not update RSE limits for RSE {rse}'):
        world.user.set_rse_limits(rse, 'MinFreeSpace', 1)


@case(RSEClient.get_rse_limits)
def gets_limits(world: World) -> None:
    """returns the limits by name to everybody, of disabled RSEs too."""
    rse = world.new_rse()
    equal(world.user.get_rse_limits(rse), {})
    world.root.set_rse_limits(rse, 'MinFreeSpace', 10)
    world.root.delete_rse(rse)
    equal(world.user.get_rse_limits(rse), {'MinFreeSpace': 10})
    with raises(RSENotFound):
        world.user.get_rse_limits(unique_rse())


@case(RSEClient.delete_rse_limits)
def deletes_limits(world: World) -> None:
    """takes a limit away, even if there is none; without a name all of them."""
    rse = world.new_rse()
    for name in ('a', 'b', 'c'):
        world.root.set_rse_limits(rse, name, 1)
    with raises(AccessDenied, f'can not update RSE limits for RSE {rse}'):
        world.user.delete_rse_limits(rse, 'a')
    for _ in range(2):
        equal(world.root.delete_rse_limits(rse, 'a'), True)
        equal(world.root.get_rse_limits(rse), {'b': 1, 'c': 1})
    equal(world.root.delete_rse_limits(rse, None), True)
    equal(world.root.get_rse_limits(rse), {})
    with raises(RSENotFound):
        world.root.delete_rse_limits(unique_rse(), 'a')


@case(RSEClient.add_qos_policy)
def adds_policies(world: World) -> None:
    """gives an RSE a policy, once."""
    rse = world.new_rse()
    equal(world.root.add_qos_policy(rse, 'FAST'), True)
    equal(world.root.list_qos_policies(rse), ['FAST'])
    with raises(Duplicate, 'QoS policy FAST already exists!'):
        world.root.add_qos_policy(rse, 'FAST')
    with raises(RSENotFound):
        world.root.add_qos_policy(unique_rse(), 'FAST')
    with raises(AccessDenied, f'cannot add QoS policies to RSE {rse}'):
        world.user.add_qos_policy(rse, 'CHEAP')


@case(RSEClient.list_qos_policies)
def lists_policies(world: World) -> None:
    """lists the names to everybody; the class of the RSE is something else."""
    rse = world.new_rse()
    equal(world.user.list_qos_policies(rse), [])
    world.root.update_rse(rse, {'qos_class': 'gold'})
    for policy in ('FAST', 'CHEAP'):
        world.root.add_qos_policy(rse, policy)
    equal(sorted(world.user.list_qos_policies(rse)), ['CHEAP', 'FAST'])
    with raises(RSENotFound):
        world.user.list_qos_policies(unique_rse())


@case(RSEClient.delete_qos_policy)
def deletes_policies(world: World) -> None:
    """takes a policy away, even if there is none."""
    rse = world.new_rse()
    for policy in ('FAST', 'CHEAP'):
        world.root.add_qos_policy(rse, policy)
    with raises(AccessDenied, f'cannot delete QoS policies from RSE {rse}'):
        world.user.delete_qos_policy(rse, 'FAST')
    for _ in range(2):
        equal(world.root.delete_qos_policy(rse, 'FAST'), True)
        equal(world.root.list_qos_policies(rse), ['CHEAP'])
