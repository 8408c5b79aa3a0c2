import { absentStatuses, type DeleteRequest, makeStatusError, sendForStatus, sendForText } from '../deletion-http.ts';
import { type Deleter, type Deletion, StorageRefusal } from '../deletion.ts';
import { readEntry } from './read-entry.ts';

/** Reads the type of a path: only the answer to PROPFIND tells a file from a folder. */
const question =
  '<?xml version="1.0" encoding="utf-8"?>\n' +
  '<propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/></prop></propfind>\n';
const questionHeaders = { Depth: '0', 'Content-Type': 'application/xml; charset=utf-8' };

/**
 * Deletes files of a WebDAV server. The method DELETE takes a folder with everything in it (RFC 4918, 9.6.1), so the server is
 * asked first what is at the path, and what it does not call a file stays. Redirections are not followed.
 *
 * @param makeRequest Makes the request for a path below the prefix; empty: for the prefix itself.
 */
export function makeWebdavDeleter(makeRequest: (path: string) => Promise<DeleteRequest>): Deleter {
  const lookAt = async (path: string) => {
    const request = await makeRequest(path);
    return sendForText('PROPFIND', { ...request, headers: { ...request.headers, ...questionHeaders } }, question);
  };
  const probe = async () => {
    const { status } = await lookAt('');
    if (status !== 207) throw new StorageRefusal(`status ${status} at the prefix`);
  };
  let seenPrefix: Promise<void> | undefined;
  const isAbsent = async (): Promise<Deletion> => {
    // If the prefix is missing as well, that says nothing about the file.
    seenPrefix ??= probe();
    await seenPrefix;
    return { outcome: 'absent' };
  };
  return {
    probe,
    async delete(path, confirm) {
      const { status, text } = await lookAt(path);
      if (absentStatuses.has(status)) return isAbsent();
      if (status === 405) throw new StorageRefusal('status 405 to PROPFIND: the server tells no file from a folder');
      if (status !== 207) throw makeStatusError(status, path);
      const { kind, bytes } = readEntry(text);
      if (kind === 'folder') throw new Error(`${path} is a folder`);
      if (kind === 'unknown') throw new Error(`the server does not say whether ${path} is a file`);
      const request = await makeRequest(path);
      if (!(await confirm())) return { outcome: 'kept' };
      const answer = await sendForStatus('DELETE', request);
      if (absentStatuses.has(answer)) return { outcome: 'absent' };
      // With 207 a server says which parts of a tree it could not delete.
      if (answer < 200 || answer >= 300 || answer === 207) throw makeStatusError(answer, path);
      return { outcome: 'deleted', ...(bytes === undefined ? {} : { bytes }) };
    },
  };
}
