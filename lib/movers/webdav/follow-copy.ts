import { TransientError } from '../retry-policy.ts';
import { describeSilence } from '../send-http.ts';

/** The server says that the copy has failed. */
export class CopyFailure extends Error {
  override readonly name = 'CopyFailure';
}

/** How a copy is watched. */
export interface Watch {
  readonly url: string;
  /** The answer is of a server to which another one has redirected: what it says is not repeated to people. */
  readonly isRedirected: boolean;
  readonly signal: AbortSignal;
  /** A copy that makes no progress for so long has failed. */
  readonly stallMs: number;
  /** Breaks the connection off, by which the server learns that it shall stop. */
  readonly stop: (reason: unknown) => void;
}

/**
 * Reads the progress of a third-party copy until its end: performance markers, then `success: ...` or `failure: ...`.
 *
 * @throws CopyFailure if the server says that it failed, or makes no progress; TransientError if the answer breaks off.
 */
export async function followCopy(answer: Response, watch: Watch): Promise<void> {
  const progress = new Progress();
  let timer: NodeJS.Timeout | undefined;
  const rearm = () => {
    clearTimeout(timer);
    timer = setTimeout(
      () => watch.stop(new CopyFailure(`The copy made no progress for ${Math.round(watch.stallMs / 1_000)} s.`)),
      watch.stallMs,
    );
  };
  rearm();
  try {
    for await (const line of readLines(answer, watch)) if (progress.read(line)) rearm();
  } finally {
    clearTimeout(timer);
  }
  progress.conclude(answer.status, watch.isRedirected);
}

/** The verdict on a copy that failed at a server to which another one has redirected. */
const redirectedVerdict = 'failure at the server to which the copy was redirected';

/** The parts of a copy whose progress is followed: a server may name any number. */
const maxStripes = 1_000;

/** The progress of a copy as a server reports it. */
class Progress {
  /** Bytes by stripe. */
  readonly #bytes = new Map<string, number>();
  #stripe = '0';
  #verdict: string | undefined;
  #isSilent = true;

  /** Reads a line. @returns Whether the copy has made progress. */
  read(line: string): boolean {
    this.#isSilent &&= line.trim() === '';
    if (/^\s*(success|failure|failed|aborted)\b/i.test(line)) this.#verdict ??= line.trim();
    const [, name = '', value = ''] = /^\s*(Stripe Index|Stripe Bytes Transferred):\s*(\d+)/i.exec(line) ?? [];
    if (name.toLowerCase() === 'stripe index') this.#stripe = value;
    if (name.toLowerCase() !== 'stripe bytes transferred') return this.#verdict !== undefined;
    const before = this.#bytes.get(this.#stripe) ?? 0;
    if (!this.#bytes.has(this.#stripe) && this.#bytes.size === maxStripes) return false;
    this.#bytes.set(this.#stripe, Math.max(before, Number(value)));
    return Number(value) > before;
  }

  /** @param status Of the answer: only 202 announces that there is more to come. */
  conclude(status: number, isRedirected: boolean): void {
    if (this.#verdict === undefined) {
      if (this.#isSilent && status !== 202) return;
      throw new TransientError('The answer to the copy broke off.');
    }
    if (!/^success/i.test(this.#verdict)) throw new CopyFailure(isRedirected ? redirectedVerdict : this.#verdict);
  }
}

/** The longest line that is looked at, in characters. */
const maxLineLength = 4_096;

async function* readLines(answer: Response, { url, signal }: Watch): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of answer.body ?? []) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
      rest = (lines.pop() ?? '').slice(0, maxLineLength);
      yield* lines;
    }
  } catch (error) {
    throw error instanceof CopyFailure ? error : describeSilence(error, url, signal);
  }
  yield rest;
}
