"""Configuration (spec/access.md 4)."""

from rucio.client.configclient import ConfigClient
from rucio.common.exception import AccessDenied, ConfigNotFound

from .cases import case, equal, has, raises
from .world import World, unique


@case(ConfigClient.set_config_option)
def sets(world: World) -> None:
    """sets an option, in the body and in the path; a section comes with its first one."""
    section = unique('section')
    equal(world.root.set_config_option(section, 'text', 'a/b c'), True)
    equal(world.root.set_config_option(section, 'number', '42', use_body_for_params=False), True)
    equal(world.root.set_config_option(section, 'truth', True), True)
    equal(world.root.get_config(section), {'text': 'a/b c', 'number': 42, 'truth': True})
    equal(world.root.set_config_option(section, 'number', 1.5), True)
    equal(world.root.get_config(section, 'number'), 1.5)


@case(ConfigClient.set_config_option)
def refuses_to_set(world: World) -> None:
    """refuses callers without permission."""
    with raises(AccessDenied, 'cannot set option'):
        world.user.set_config_option(unique('section'), 'text', 'x')


@case(ConfigClient.get_config)
def gets(world: World) -> None:
    """answers everything, a section or an option; what is not there is ConfigNotFound."""
    section = unique('section')
    world.root.set_config_option(section, 'one', 'x')
    has(world.root.get_config(), {section: {'one': 'x'}})
    equal(world.root.get_config(section), {'one': 'x'})
    equal(world.root.get_config(section, 'one'), 'x')
    with raises(ConfigNotFound, f"No configuration found for section '{section}' option 'two'"):
        world.root.get_config(section, 'two')
    with raises(ConfigNotFound):
        world.root.get_config(unique('none'))


@case(ConfigClient.get_config)
def refuses_to_show(world: World) -> None:
    """refuses callers without permission, whatever they ask for."""
    for wanted in ((), (unique('none'),), (unique('none'), 'one')):
        with raises(AccessDenied):
            world.user.get_config(*wanted)


@case(ConfigClient.delete_config_option)
def deletes(world: World) -> None:
    """deletes an option; a section goes with its last one."""
    section = unique('section')
    world.root.set_config_option(section, 'one', 'x')
    with raises(AccessDenied, 'cannot check existence of option'):
        world.user.delete_config_option(section, 'one')
    equal(world.root.delete_config_option(section, 'one'), True)
    assert section not in world.root.get_config()
    with raises(ConfigNotFound):
        world.root.delete_config_option(section, 'one')


@case(ConfigClient.delete_config_section)
def deletes_a_section(world: World) -> None:
    """deletes a section with all its options."""
    section = unique('section')
    world.root.set_config_option(section, 'one', 'x')
    world.root.set_config_option(section, 'two', 'y')
    world.root.delete_config_section(section)
    with raises(ConfigNotFound):
        world.root.get_config(section)
    with raises(ConfigNotFound):
        world.root.delete_config_section(section)
