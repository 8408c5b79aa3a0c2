"""Prints every command of the command line as JSON: ``python -m methods.commands``."""

import json
from collections.abc import Iterator

import click
from rucio import version
from rucio.cli.command import main


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield ' '.join((*path, name))


print(json.dumps({'client': f'rucio-clients {version.version_string()}', 'commands': list(commands(main))}))
