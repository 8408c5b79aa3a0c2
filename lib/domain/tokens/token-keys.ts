import { createHash } from 'node:crypto';

import { Cache } from '../../cache.ts';
import { clock } from '../../clock.ts';
import { env } from '../../env.ts';
import { log } from '../../log.ts';
import { findSecretVersion } from '../../store/secrets.ts';

/** A key that signs tokens, cursors and challenges. */
export interface TokenKey {
  /** The id of the key in tokens (`kid`); a hash that does not reveal the key. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The valid keys at a time. */
export interface TokenKeys {
  /** Signs new tokens, cursors and challenges. */
  readonly signing: TokenKey;
  /** Signatures of these are accepted; the likeliest first. */
  readonly accepted: readonly TokenKey[];
}

/** A key that was withdrawn is accepted for no longer than this. Each read costs, so a shorter time costs more (docs/costs.md). */
export const keysTtlMs = 5 * 60_000;

/** A key signs this long after it was put in use: by then every process has read it. */
const signingDelayMs = 2 * keysTtlMs;

/** Minimum time between reads that an unknown key id or a failed read causes. */
const rereadPauseMs = 30_000;

/** The keys of a read, or of the read before when it failed. */
interface ReadKeys {
  readonly keys: TokenKeys;
  readonly isFailed: boolean;
}

/** One entry: a process has one set of keys. */
const cache = new Cache<ReadKeys>({ ttlMs: ({ isFailed }) => (isFailed ? rereadPauseMs : keysTtlMs) });
const onlyKeys = 'keys';

let lastKeys: TokenKeys | undefined;
let lastReadAt = Number.NEGATIVE_INFINITY;

/**
 * The keys, at most five minutes old: from the environment on a laptop, from Secrets Manager when deployed. While Secrets
 * Manager fails, the keys of the last read stay valid.
 */
export async function getTokenKeys(): Promise<TokenKeys> {
  return (await cache.getOrLoad(onlyKeys, readAgain)).keys;
}

/**
 * The keys that may have signed a token that names this key: it alone, or all where a token names none, as before keys
 * had ids. Reads the keys again for an unknown id, unless they were read within the last half minute.
 */
export async function getNamedKeys(id: string | undefined): Promise<readonly TokenKey[]> {
  const { accepted } = await getTokenKeys();
  if (id === undefined) return accepted;
  const named = accepted.filter((key) => key.id === id);
  if (named.length > 0 || clock.now() < lastReadAt + rereadPauseMs) return named;
  cache.invalidate(onlyKeys);
  return (await getTokenKeys()).accepted.filter((key) => key.id === id);
}

/**
 * The key of a secret text, with its id.
 *
 * @throws Error when the text is too short.
 */
export function toTokenKey(text: string): TokenKey {
  if (text.length < 32) throw new Error('the key that signs tokens is shorter than 32 characters');
  const id = createHash('sha256').update('id of a token key\n').update(text).digest('base64url').slice(0, 12);
  return { id, bytes: new TextEncoder().encode(text) };
}

async function readAgain(): Promise<ReadKeys> {
  lastReadAt = clock.now();
  try {
    lastKeys = await readKeys(lastReadAt);
    return { keys: lastKeys, isFailed: false };
  } catch (error) {
    if (lastKeys === undefined) throw error;
    log.warn('cannot read the token key again; the keys of the last read stay in use', { error: error as Error });
    return { keys: lastKeys, isFailed: true };
  }
}

async function readKeys(now: number): Promise<TokenKeys> {
  if (env.tokenKey !== undefined) {
    const only = toTokenKey(env.tokenKey);
    return { signing: only, accepted: [only] };
  }
  const [current, previous] = await Promise.all([
    findSecretVersion(env.tokenKeySecretId, 'AWSCURRENT'),
    findSecretVersion(env.tokenKeySecretId, 'AWSPREVIOUS'),
  ]);
  if (current === undefined) throw new Error('the key that signs tokens has no value');
  const newest = toTokenKey(current.text);
  if (previous === undefined) return { signing: newest, accepted: [newest] };
  const older = toTokenKey(previous.text);
  const isKnownEverywhere = current.since + signingDelayMs <= now;
  return { signing: isKnownEverywhere ? newest : older, accepted: [newest, older] };
}
