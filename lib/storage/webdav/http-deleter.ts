import { type Deleter, type DeletionOutcome, StorageRefusal } from '../deletion.ts';

/** A request that deletes one file: its URL, which may be signed, and its headers. */
export interface DeleteRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How the files of an RSE are deleted by HTTP. */
export interface HttpSettings {
  /** The request that deletes the file at a path below the prefix. */
  readonly makeRequest: (path: string) => Promise<DeleteRequest>;
  /**
   * Whether the prefix is there, asked once an answer says that a file is not. If it is missing as well, that says nothing
   * about the file.
   */
  readonly hasPrefix: () => Promise<boolean>;
}

/** How long a storage may take for an answer. */
const timeoutMs = 30_000;

const absent: ReadonlySet<number> = new Set([404, 410]);

/** Answers that concern the storage rather than one file. */
const refusals: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429]);

/** Deletes files by the method DELETE: objects by signed URLs, files of WebDAV servers. Redirections are not followed. */
export function makeHttpDeleter({ makeRequest, hasPrefix }: HttpSettings): Deleter {
  let prefix: Promise<boolean> | undefined;
  return {
    delete: async (path): Promise<DeletionOutcome> => {
      const request = await makeRequest(path);
      const status = await send('DELETE', request);
      if (status >= 200 && status < 300) return 'deleted';
      if (!absent.has(status)) throw makeError(status, path);
      prefix ??= hasPrefix();
      if (await prefix) return 'absent';
      throw new StorageRefusal(`status ${status} at ${path}, and the prefix is not there either`);
    },
  };
}

/** Whether a WebDAV server has a folder. A server without the method is believed to have it. */
export async function hasFolder(request: DeleteRequest): Promise<boolean> {
  const status = await send('PROPFIND', { ...request, headers: { ...request.headers, Depth: '0' } });
  if (isRefusal(status)) throw makeError(status, 'the prefix');
  return !absent.has(status);
}

/** The status of the answer. The URL may be signed, so no error names it. */
async function send(method: string, { url, headers = {} }: DeleteRequest): Promise<number> {
  try {
    const answer = await fetch(url, { method, headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    const { cause, name } = error as Error & { readonly cause?: { readonly code?: string } };
    throw new StorageRefusal(`no answer from ${new URL(url).host}: ${cause?.code ?? name}`);
  }
}

const isRefusal = (status: number) => refusals.has(status) || status >= 500;

function makeError(status: number, path: string): Error {
  const text = `status ${status} at ${path}`;
  return isRefusal(status) ? new StorageRefusal(text) : new Error(text);
}
