import { askServer } from './ask-server.ts';
import { StorageRefusal } from './deletion.ts';
import { nameFailure } from './send-http.ts';

/** A request about one file: its URL, which may be signed, and its headers. */
export interface DeleteRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Timeout for the answer of a storage. */
const timeoutMs = 30_000;

/** The most of an answer that is read, in bytes. */
const maxAnswerBytes = 65_536;

/** Statuses by which a storage says that something is not there. */
export const absentStatuses: ReadonlySet<number> = new Set([404, 410]);

/** Answers that may concern the storage rather than one file. */
const refusals: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429]);

/** Whether a status may concern the storage as a whole. */
export const isRefusal = (status: number): boolean => refusals.has(status) || status >= 500;

/** The error of a status that tells no success. */
export function makeStatusError(status: number, path: string): Error {
  const text = `status ${status} at ${path}`;
  return isRefusal(status) ? new StorageRefusal(text) : new Error(text);
}

/** Sends a request; redirections are not followed. The URL may be signed, so no error names it. */
export async function sendForStatus(method: string, request: DeleteRequest): Promise<number> {
  const ignore = async (answer: Response) => answer.body?.cancel();
  return (await sendRequest(method, request, undefined, ignore)).status;
}

/** Sends a request with a body; the text is the beginning of the answer. Otherwise as {@link sendForStatus}. */
export async function sendForText(method: string, request: DeleteRequest, body: string) {
  const { status, content } = await sendRequest(method, request, body, readBeginning);
  return { status, text: content };
}

async function sendRequest<T>(
  method: string,
  { url, headers = {} }: DeleteRequest,
  body: string | undefined,
  read: (answer: Response) => Promise<T>,
): Promise<{ readonly status: number; readonly content: T }> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await askServer({ method, url, headers, body, signal });
    return { status: answer.status, content: await read(answer) };
  } catch (error) {
    throw new StorageRefusal(`no answer from ${new URL(url).host}: ${nameFailure(error)}`);
  }
}

async function readBeginning(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  // Leaving the loop cancels the rest.
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    bytes += (chunk as Uint8Array).length;
    if (bytes >= maxAnswerBytes) break;
  }
  return text;
}
