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
    return await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: limit,
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    throw describeSilence(error, url, signal);
  }
}

/** The error for an answer that did not come, or broke off. */
export function describeSilence(error: unknown, url: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const { cause, name } = error as Error & { readonly cause?: { readonly code?: string } };
  return new TransientError(`no answer from ${new URL(url).host}: ${cause?.code ?? name}`);
}
