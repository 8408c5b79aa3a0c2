"""How a case is written: ``@case(DIDClient.close)`` on a function whose doc string is the rule it pins."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

from rucio.client.baseclient import BaseClient
from rucio.common.exception import RucioException

from .world import World

Run = Callable[[World], None]


@dataclass(frozen=True)
class Case:
    """A call of one method."""

    owner: type[BaseClient]
    name: str
    rule: str
    run: Run
    differs: str | None

    @property
    def method(self) -> str:
        return f'{self.owner.__name__}.{self.name}'

    def check(self, world: World) -> None:
        """Runs the case; raises when the rule does not hold, or when the method was not called at all."""
        with mock.patch.object(self.owner, self.name, autospec=True, side_effect=getattr(self.owner, self.name)) as spy:
            self.run(world)
        assert spy.called, f'the case does not call {self.method}'


cases: list[Case] = []


def case(method: Callable[..., Any], *, differs: str | None = None) -> Callable[[Run], Run]:
    """Registers a function as a case of ``method``; ``differs`` says how Dapple deliberately differs from Rucio."""

    def register(run: Run) -> Run:
        owner = getattr(__import__(method.__module__, fromlist=['_']), method.__qualname__.split('.')[0])
        rule = ' '.join((run.__doc__ or '').split()).rstrip('.')
        assert rule, f'{run.__name__} needs a doc string: the rule it pins'
        cases.append(Case(owner, method.__name__, rule, run, differs))
        return run

    return register


@contextmanager
def raises(kind: type[RucioException], text: str = '') -> Iterator[None]:
    """Expects exactly this class, with the text in its message."""
    try:
        yield
    except RucioException as error:
        assert type(error) is kind, f'expected {kind.__name__}, got {type(error).__name__}: {error}'
        assert text in str(error), f'expected "{text}" in the message, got: {error}'
    else:
        raise AssertionError(f'expected {kind.__name__}, got no error')


def equal(actual: object, expected: object) -> None:
    """Expects equality, and shows both sides when it fails."""
    assert actual == expected, f'expected {expected!r}, got {actual!r}'


def has(actual: dict[str, Any], expected: dict[str, Any]) -> None:
    """Expects at least these keys with these values."""
    equal({key: actual.get(key, 'absent') for key in expected}, expected)


def lines(entries: Any, *keys: str) -> list[tuple[Any, ...]]:
    """Entries of a listing, cut down to some keys, in a definite order."""
    return sorted(tuple(entry[key] for key in keys) for entry in entries)
