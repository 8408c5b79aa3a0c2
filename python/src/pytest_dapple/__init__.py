"""A Rucio server for tests: one process in memory, which starts in a second and resets in milliseconds."""

from .catalogue import Catalogue, RucioError
from .server import Server

__all__ = ["Catalogue", "RucioError", "Server"]
