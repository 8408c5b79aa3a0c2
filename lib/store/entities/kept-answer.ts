import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

import { RucioError } from '../../errors.ts';
import { parseJson, toJson } from '../../json.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Write } from '../items/plan.ts';
import { idempotencyKeys } from '../keys/idempotency-keys.ts';

/** What a request is known by, should it come again. */
export interface Claim {
  readonly account: string;
  /** The account's own text for the request. */
  readonly key: string;
  /** What tells this request from others that are sent with the same key. */
  readonly fingerprint: string;
}

/** What was kept of a request with its effect. */
export interface KeptAnswer {
  readonly fingerprint: string;
  /** Tells it from whatever else is written under the key. */
  readonly stamp: string;
  /** When it is forgotten, in milliseconds since 1970. */
  readonly until: number;
  /** What its plan decided. */
  readonly answer: unknown;
}

/** How long answers are kept, in milliseconds. */
const lifetime = 24 * 3_600_000;

/** Answers of more characters are packed: with less an item takes a single write unit. */
const longestPlain = 600;

/** An item takes 400 KB; in bytes. */
const largestPacked = 350_000;

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/** What lies under a key as it is now, and until when a bulk request may take that is about to write it; one read. */
export function findKept(table: Table, { account, key }: Claim): ReturnType<Table['inspect']> {
  return table.inspect(idempotencyKeys.answer(account, key));
}

/** Reads a kept answer. */
export async function toKeptAnswer(item: Item): Promise<KeptAnswer> {
  const { fingerprint, stamp, ttl, values, packed } = item;
  const text = packed === undefined ? String(values) : (await unpack(packed as Uint8Array)).toString();
  return {
    fingerprint: String(fingerprint),
    stamp: String(stamp),
    until: Number(ttl) * 1_000,
    // JSON has no word for no answer.
    answer: (parseJson(text) as unknown[]).at(-1) ?? undefined,
  };
}

/** What is to be kept, and how it may go wrong. */
interface Keeping {
  readonly answer: unknown;
  readonly stamp: string;
  /** Takes the place of what has this stamp; undefined: of nothing. */
  readonly instead: string | undefined;
  /** What happens when something else lies there, or nothing where something has to be replaced. */
  readonly onTaken: (existing: Item | undefined) => Error;
}

/**
 * The write that keeps an answer; a unit, and one more for each packed kilobyte.
 *
 * @throws PayloadTooLarge (413) for an answer that is too long to be kept.
 */
export async function keepAnswer(claim: Claim, now: number, keeping: Keeping): Promise<Write> {
  const { answer, stamp, instead, onTaken } = keeping;
  const key = idempotencyKeys.answer(claim.account, claim.key);
  const content = {
    fingerprint: claim.fingerprint,
    stamp,
    ttl: Math.ceil((now + lifetime) / 1_000),
    ...(await packValues(toJson([answer]))),
  };
  if (instead === undefined) return { kind: 'insert', item: { ...key, ...content }, onExists: onTaken };
  const removable = ['values', 'packed'].filter((attribute) => !Object.hasOwn(content, attribute));
  return {
    kind: 'change',
    key,
    patch: { set: content, remove: removable },
    when: { stamp: instead },
    onMismatch: onTaken,
  };
}

async function packValues(text: string): Promise<{ values: string } | { packed: Uint8Array }> {
  if (text.length <= longestPlain) return { values: text };
  const bytes = await pack(text);
  if (bytes.length <= largestPacked) return { packed: bytes };
  throw new RucioError('PayloadTooLarge', 'The answer is too long to be kept for a repeat; ask for less at a time.');
}
