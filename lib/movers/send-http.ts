import { askServer } from './ask-server.ts';
import { TransientError } from './retry-policy.ts';

/** A request to a storage. */
export interface StorageRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Timeout for the whole answer; absent: no limit while there is progress. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends a request. Redirections are not followed.
 *
 * @throws TransientError if there is no answer. No error names the URL, which may be signed.
 */
export async function sendHttp({ method, url, headers, body, timeoutMs, signal }: StorageRequest): Promise<Response> {
  try {
    const limit = timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return await askServer({ method, url, headers, body, signal: limit });
  } catch (error) {
    throw describeSilence(error, url, signal);
  }
}

/** The code of a failed connection, such as `ECONNREFUSED`, or else the name of the error. */
export function nameFailure(error: unknown): string {
  const { cause, code, name } = error as Error & {
    readonly code?: unknown;
    readonly cause?: { readonly code?: unknown };
  };
  return [cause?.code, code].find((one) => typeof one === 'string') ?? name;
}

/** The error for an answer that did not come, or broke off. */
export function describeSilence(error: unknown, url: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return new TransientError(`no answer from ${new URL(url).host}: ${nameFailure(error)}`);
}
