"""The storage object of snakemake-storage-plugin-rucio, as Snakemake uses it."""

import asyncio
import dataclasses
import logging
import tempfile
from pathlib import Path

from calls import call, raises
from snakemake_interface_storage_plugins.io import IOCacheStorageInterface
from snakemake_storage_plugin_rucio import StorageObject, StorageProvider, StorageProviderSettings

folder = Path(tempfile.mkdtemp())
settings = StorageProviderSettings(upload_rse='ONE', upload_dataset='flow', download_rse='ONE', cache_scope=True)
provider = StorageProvider(local_prefix=folder, logger=logging.getLogger(), settings=settings)
# The names of the catalogue as they are, and so its wildcards.
plain = StorageProvider(folder, logging.getLogger(), settings=dataclasses.replace(settings, no_path_rewriting=True))


def item(name, retrieve=True, of=provider):
    return StorageObject(query=f'rucio://data/{name}', keep_local=False, retrieve=retrieve, provider=of)


class Cache(IOCacheStorageInterface):
    """What Snakemake remembers of a storage."""

    def __init__(self):
        self._values = {'exists_in_storage': {}, 'exists_local': {}, 'mtime': {}, 'size': {}}

    exists_in_storage = property(lambda self: self._values['exists_in_storage'])
    exists_local = property(lambda self: self._values['exists_local'])
    mtime = property(lambda self: self._values['mtime'])
    size = property(lambda self: self._values['size'])


def written(name, text):
    path = item(name).local_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def retrieved(name):
    item(name).local_path().unlink()
    item(name).retrieve_object()
    return item(name).local_path().read_text()


def inventory(name):
    cache = Cache()
    asyncio.run(item(name).inventory(cache))
    return cache


call('is_valid_query', lambda: StorageProvider.is_valid_query('rucio://data/out.txt').valid, lambda valid: valid)
call('exists, nothing', lambda: item('out.txt').exists(), lambda found: found is False)
written('out.txt', 'a result\n')
call('store_object', lambda: item('out.txt').store_object(), lambda _: item('out.txt').exists())
written('part/two.txt', 'another\n')
call('store_object, below a folder', lambda: item('part/two.txt').store_object(), lambda _: item('part/two.txt').exists())
call('exists', lambda: item('out.txt').exists(), lambda found: found is True)
call('size', lambda: item('out.txt').size(), lambda size: size == 9)
call('mtime', lambda: item('out.txt').mtime(), lambda time: time > 1.7e9)
call('retrieve_object', lambda: retrieved('out.txt'), lambda text: text == 'a result\n')
call('retrieve_object, below a folder', lambda: retrieved('part/two.txt'), lambda text: text == 'another\n')
written('out.txt', 'changed\n')
call('store_object, known', lambda: raises(ValueError, item('out.txt').store_object), lambda refused: refused)
call('list_candidate_matches', lambda: list(item('out*', of=plain).list_candidate_matches()), lambda names: names == ['out.txt'])
call('streaming URL', lambda: item('out.txt', retrieve=False).query, lambda url: url.startswith('file://localhost/'))
call('inventory', lambda: inventory('out.txt'), lambda cache: cache.size.get(item('out.txt').cache_key('data/out.txt')) == 9)
call('remove', lambda: raises(NotImplementedError, item('out.txt').remove), lambda refused: refused)
