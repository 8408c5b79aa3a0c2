"""RucioFileCatalogClient of DIRAC, with the account and the server of the client's configuration."""

from calls import call, raises
from DIRAC.Resources.Catalog.RucioFileCatalogClient import RucioFileCatalogClient
from rucio.common.exception import RSENotFound

catalog = RucioFileCatalogClient(DiracScopeAlg='dirac')
folder = '/data/data/run/raw'
one, two, none = (f'{folder}/{name}' for name in ('one', 'two', 'none'))
facts = {'SE': 'ONE', 'Size': 5, 'Checksum': '0cc737eb', 'GUID': '0123456789abcdef0123456789abcdef', 'PFN': ''}
second = {**facts, 'GUID': '0123456789abcdef0123456789abcde0'}


def successful(lfn, check):
    """Whether DIRAC got something for a name."""
    return lambda answer: answer['OK'] and lfn in answer['Value']['Successful'] and check(answer['Value']['Successful'][lfn])


def failed(lfn, text):
    return lambda answer: answer['OK'] and text in answer['Value']['Failed'].get(lfn, '')


call('addFile', lambda: catalog.addFile({one: facts, two: second}), successful(two, bool))
call('addFile, known', lambda: catalog.addFile({one: facts}), successful(one, bool))
call(
    'addFile, unknown RSE',
    lambda: raises(RSENotFound, lambda: catalog.addFile({none: {**facts, 'SE': 'NONE'}})),
    lambda refused: refused,
)
call('exists', lambda: catalog.exists([one]), successful(one, lambda found: found is True))
call('exists, nothing', lambda: catalog.exists([none]), successful(none, lambda found: found is False))
call('isFile', lambda: catalog.isFile([one]), successful(one, lambda found: found is True))
call('isFile, a directory', lambda: catalog.isFile([folder]), successful(folder, lambda found: found is False))
call('isDirectory', lambda: catalog.isDirectory([folder]), successful(folder, lambda found: found is True))
call('isDirectory, nothing', lambda: catalog.isDirectory([none]), lambda answer: none in str(answer))
call('getFileMetadata', lambda: catalog.getFileMetadata([one]), successful(one, lambda meta: meta['Checksum'] == '0cc737eb'))
call('getFileSize', lambda: catalog.getFileSize([one]), successful(one, lambda size: size == 5))
call('getFileSize, nothing', lambda: catalog.getFileSize([none]), failed(none, 'No such file'))
call('getReplicas', lambda: catalog.getReplicas([one]), successful(one, lambda rses: rses['ONE'].startswith('file://')))
call('listDirectory', lambda: catalog.listDirectory([folder]), successful(folder, lambda found: set(found['Files']) == {one, two}))
call(
    'listDirectory, a container',
    lambda: catalog.listDirectory(['/data/data/run']),
    successful('/data/data/run', lambda found: list(found['SubDirs']) == [folder]),
)
call('getDirectorySize', lambda: catalog.getDirectorySize([folder]), successful(folder, lambda size: size['TotalSize'] == 10))
call('setMetadata', lambda: catalog.setMetadata({one: {}}, {'energy': 7}), lambda answer: answer['OK'])
call('getFileUserMetadata', lambda: catalog.getFileUserMetadata({one: {}}), successful(one, lambda meta: meta['energy'] == 7))
call(
    'findFilesByMetadata',
    lambda: catalog.findFilesByMetadata({'energy': 7}, path='/data/data'),
    lambda answer: answer['OK'] and one in str(answer['Value']),
)
call(
    'addReplica',
    lambda: catalog.addReplica({one: {**facts, 'SE': 'TWO'}}),
    failed(one, 'Problem validating rule'),
    differs="its rule has the activity 'User Transfers', which the generic schema of Rucio refuses as well",
)
call('removeReplica', lambda: catalog.removeReplica({two: {'SE': 'ONE'}}), successful(two, bool))
call('removeFile', lambda: catalog.removeFile([two]), successful(two, bool))
call('removeFile, nothing', lambda: catalog.removeFile([none]), failed(none, 'No such file'))
call('removeDirectory', lambda: catalog.removeDirectory([folder]), successful(folder, bool))
