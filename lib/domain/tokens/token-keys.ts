import { createHash } from 'node:crypto';

import { env } from '../../env.ts';
import { log } from '../../log.ts';
import { findSecretVersion } from '../../store/secrets.ts';

/** A key that signs tokens, cursors and challenges. */
export interface TokenKey {
  /** What tokens call it (`kid`): says which key it is, and nothing of it. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The keys that are good at a time. */
export interface TokenKeys {
  /** What is issued now is signed with this one. */
  readonly signing: TokenKey;
  /** What was signed with any of these is good; the likeliest first. */
  readonly accepted: readonly TokenKey[];
}

/** How long a process goes on with the keys that it has read, in milliseconds. */
const memory = 5 * 60_000;

/** A key signs once every process must have read it: twice as long after it was put in use; in milliseconds. */
const ripening = 2 * memory;

/** How soon they are read again because a token names an unknown key, or because reading failed, in milliseconds. */
const pause = 30_000;

let known: TokenKeys | undefined;
let knownUntil = 0;
let lastReadAt = Number.NEGATIVE_INFINITY;
let reading: Promise<TokenKeys> | undefined;

/**
 * The keys as this process has read them within the last five minutes: from the environment on a laptop, from Secrets
 * Manager when deployed. Should Secrets Manager fail, the known ones stay good.
 */
export async function tokenKeys(): Promise<TokenKeys> {
  return known !== undefined && Date.now() < knownUntil ? known : readKeys();
}

/**
 * The keys that may have signed a token that names this one: it alone, or all where a token names none, as before keys
 * had ids. An unknown one has the keys read again, unless that was done within the last half minute.
 */
export async function keysNamed(id: string | undefined): Promise<readonly TokenKey[]> {
  const { accepted } = await tokenKeys();
  if (id === undefined) return accepted;
  const named = accepted.filter((key) => key.id === id);
  if (named.length > 0 || Date.now() < lastReadAt + pause) return named;
  return (await readKeys()).accepted.filter((key) => key.id === id);
}

/**
 * A key as tokens name it.
 *
 * @throws Error when it is too short to be one.
 */
export function keyOf(text: string): TokenKey {
  if (text.length < 32) throw new Error('the key that signs tokens is shorter than 32 characters');
  const id = createHash('sha256').update('id of a token key\n').update(text).digest('base64url').slice(0, 12);
  return { id, bytes: new TextEncoder().encode(text) };
}

/** One reading at a time, however many wait for it. */
function readKeys(): Promise<TokenKeys> {
  reading ??= renew().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function renew(): Promise<TokenKeys> {
  lastReadAt = Date.now();
  try {
    known = await load(lastReadAt);
    knownUntil = lastReadAt + memory;
  } catch (error) {
    if (known === undefined) throw error;
    log.warn('cannot read the token key again, goes on with the known one', { error: error as Error });
    knownUntil = lastReadAt + pause;
  }
  return known;
}

async function load(now: number): Promise<TokenKeys> {
  if (env.tokenKey !== undefined) {
    const only = keyOf(env.tokenKey);
    return { signing: only, accepted: [only] };
  }
  const [current, previous] = await Promise.all([
    findSecretVersion(env.tokenKeySecretId, 'AWSCURRENT'),
    findSecretVersion(env.tokenKeySecretId, 'AWSPREVIOUS'),
  ]);
  if (current === undefined) throw new Error('the key that signs tokens has no value');
  const newest = keyOf(current.text);
  if (previous === undefined) return { signing: newest, accepted: [newest] };
  const older = keyOf(previous.text);
  const isRipe = current.since + ripening <= now;
  return { signing: isRipe ? newest : older, accepted: [newest, older] };
}
