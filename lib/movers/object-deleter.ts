import { randomUUID } from 'node:crypto';

import { absentStatuses, type DeleteRequest, isRefusal, makeStatusError, sendForStatus } from './deletion-http.ts';
import { type Deleter, StorageRefusal } from './deletion.ts';

/** How the objects of an RSE are deleted. */
export interface ObjectSettings {
  /** The signed request that deletes the object at a path below the prefix. */
  readonly makeRequest: (path: string) => Promise<DeleteRequest>;
  /** Whether the status 404 tells that the object is not there; otherwise its bucket is missing. */
  readonly tellsAbsence: boolean;
}

/** Deletes objects by signed URLs. An object store has no folders: a key is deleted, and no other that begins with it. */
export function makeObjectDeleter({ makeRequest, tellsAbsence }: ObjectSettings): Deleter {
  const send = async (request: DeleteRequest, path: string) => {
    const status = await sendForStatus('DELETE', request);
    if (absentStatuses.has(status) && !tellsAbsence) throw new StorageRefusal(`status ${status}: there is no bucket`);
    if (status >= 200 && status < 300) return 'deleted';
    if (absentStatuses.has(status)) return 'absent';
    throw makeStatusError(status, path);
  };
  return {
    async probe() {
      // A key that nobody has: the services answer as if they had deleted it, or that it is not there.
      const path = `.dapple-probe-${randomUUID()}`;
      const status = await sendForStatus('DELETE', await makeRequest(path));
      if (isRefusal(status) || (absentStatuses.has(status) && !tellsAbsence))
        throw new StorageRefusal(`status ${status} at ${path}`);
    },
    async delete(path, confirm) {
      const request = await makeRequest(path);
      if (!(await confirm())) return { outcome: 'kept' };
      return { outcome: await send(request, path) };
    },
  };
}
