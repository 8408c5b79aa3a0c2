import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

import { RucioError } from '../../errors.ts';
import { parseJson, toJson } from '../../json.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Write } from '../items/plan.ts';
import { attributesReader, isBytes, isNumber, isText, optional } from '../items/read-attributes.ts';
import { idempotencyKeys } from '../keys/idempotency-keys.ts';

/** Identifies a request with an idempotency key. */
export interface Claim {
  readonly account: string;
  /** The account's own text for the request. */
  readonly key: string;
  /** Distinguishes this request from different ones with the same key. */
  readonly fingerprint: string;
}

/** The answer that was kept with the effect of a request. */
export interface KeptAnswer {
  readonly fingerprint: string;
  /** Distinguishes it from other answers under the same key. */
  readonly stamp: string;
  /** When it expires, in milliseconds since 1970. */
  readonly until: number;
  /** The answer that the plan decided. */
  readonly answer: unknown;
}

/** How long answers are kept. */
const lifetimeMs = 24 * 3_600_000;

/** Longer answers are compressed; up to this length the item costs one write unit. */
const maxPlainCharacters = 600;

/** The limit of a compressed answer; an item holds 400 KB. */
const maxPackedBytes = 350_000;

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/** The answer under a key, and the deadline of a pending batch that writes it; one read. */
export function findKeptAnswer(table: Table, { account, key }: Claim): ReturnType<Table['inspect']> {
  return table.inspect(idempotencyKeys.answer(account, key));
}

/** An answer as it is stored: a list, as text or compressed. */
interface StoredAnswer extends Pick<KeptAnswer, 'fingerprint' | 'stamp'> {
  readonly ttl: number;
  readonly values?: string;
  readonly packed?: Uint8Array;
}

const readStored = attributesReader<StoredAnswer>({
  fingerprint: isText,
  stamp: isText,
  ttl: isNumber,
  values: optional(isText),
  packed: optional(isBytes),
});

/** Reads a kept answer out of its item. */
export async function toKeptAnswer(item: Item): Promise<KeptAnswer> {
  const { fingerprint, stamp, ttl, values = '[]', packed } = readStored(item);
  const answers = parseJson(packed === undefined ? values : (await unpack(packed)).toString());
  // JSON cannot express undefined.
  const answer: unknown = Array.isArray(answers) ? (answers.at(-1) ?? undefined) : undefined;
  return { fingerprint, stamp, until: ttl * 1_000, answer };
}

/** An answer to keep. */
interface NewKeptAnswer {
  readonly answer: unknown;
  readonly stamp: string;
  /** The stamp of the answer that is replaced; undefined: none. */
  readonly replaced: string | undefined;
  /** Makes the error if another answer is there, or the one to replace is not. */
  readonly onTaken: (existing: Item | undefined) => Error;
}

/**
 * The write that keeps an answer: one unit, and one more for each compressed kilobyte.
 *
 * @throws PayloadTooLarge (413) for an answer that is too long.
 */
export async function keepAnswer(claim: Claim, now: number, kept: NewKeptAnswer): Promise<Write> {
  const { answer, stamp, replaced, onTaken } = kept;
  const key = idempotencyKeys.answer(claim.account, claim.key);
  const content = {
    fingerprint: claim.fingerprint,
    stamp,
    ttl: Math.ceil((now + lifetimeMs) / 1_000),
    ...(await packValues(toJson([answer]))),
  };
  if (replaced === undefined) return { kind: 'insert', item: { ...key, ...content }, onExists: onTaken };
  const removable = ['values', 'packed'].filter((attribute) => !Object.hasOwn(content, attribute));
  return {
    kind: 'change',
    key,
    patch: { set: content, remove: removable },
    when: { stamp: replaced },
    onMismatch: onTaken,
  };
}

async function packValues(text: string): Promise<{ values: string } | { packed: Uint8Array }> {
  if (text.length <= maxPlainCharacters) return { values: text };
  const bytes = await pack(text);
  if (bytes.length <= maxPackedBytes) return { packed: bytes };
  throw new RucioError('PayloadTooLarge', 'The answer is too long to be kept for a repeat; ask for less at a time.');
}
