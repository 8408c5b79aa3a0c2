import type { RefusedReplicas } from './refused-names.ts';

/** A member in which two rows differ, with the whole rows. */
interface Difference {
  readonly part: string;
  /** The key of both rows. */
  readonly key: string;
  readonly refused: RefusedReplicas;
  readonly field: string;
  readonly left: unknown;
  readonly right: unknown;
  readonly leftRow: Readonly<Record<string, unknown>>;
  readonly rightRow: Readonly<Record<string, unknown>>;
}

/** A difference between Rucio and Dapple that was decided (docs/compatibility.md), or that no two servers can avoid. */
interface Decision {
  /** Its name in reports. */
  readonly name: string;
  readonly reason: string;
  readonly parts: readonly string[];
  readonly fields: readonly string[];
  readonly applies?: (difference: Difference) => boolean;
}

const isEmpty = (value: unknown) => value === null || value === undefined;

/** The states of a subscription that is in use: it is ACTIVE once it was matched. */
const isMatching = (state: unknown) => state === 'NEW' || state === 'UPDATED' || state === 'ACTIVE';

/** The decision on DIDs that Dapple cannot have, and on everything about them. */
export const refusedNames = 'refused-names';

/** All of them, in the order in which they are looked up. */
export const decisions: readonly Decision[] = [
  {
    name: 'live-sizes',
    reason: 'Dapple knows the size of a collection from its first attachment; Rucio says null until it is closed',
    parts: ['dids', 'contents', 'rules'],
    fields: ['bytes', 'length'],
    applies: ({ left, right, leftRow, rightRow }) =>
      isEmpty(left) !== isEmpty(right) && leftRow['did_type'] !== 'FILE' && rightRow['did_type'] !== 'FILE',
  },
  {
    name: 'count-time',
    reason: 'the time of the last count: usage is equal if it counts the same',
    parts: ['rse-usage', 'usage'],
    fields: ['updated_at'],
  },
  {
    name: 'last-matched',
    reason: 'when the server last matched new data with the subscription, and whether it has since a change',
    parts: ['subscriptions'],
    fields: ['last_processed', 'updated_at', 'state'],
    applies: ({ field, left, right }) => field !== 'state' || (isMatching(left) && isMatching(right)),
  },
  {
    name: 'suppressed',
    reason: 'Dapple does not suppress DIDs: its lists of a scope have all',
    parts: ['dids'],
    fields: ['suppressed'],
  },
  {
    name: refusedNames,
    reason:
      'Dapple has no DIDs of such names; with their content, replicas, rules and locks, and the usage of RSEs by them',
    parts: ['rse-usage'],
    fields: ['files', 'used', 'total'],
    applies: ({ key, field, left, right, refused }) => refused.explains(key.split(' ')[0] ?? '', field, left, right),
  },
];

/** The name of the decision that explains a difference; undefined if there is none. */
export function decisionOn(difference: Difference): string | undefined {
  return decisions.find(
    ({ parts, fields, applies }) =>
      parts.includes(difference.part) && fields.includes(difference.field) && (applies?.(difference) ?? true),
  )?.name;
}
