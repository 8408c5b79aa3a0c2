/** A member in which two rows differ, with the whole rows. */
interface Difference {
  readonly part: string;
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
];

/** The name of the decision that explains a difference; undefined if there is none. */
export function decisionOn(difference: Difference): string | undefined {
  return decisions.find(
    ({ parts, fields, applies }) =>
      parts.includes(difference.part) && fields.includes(difference.field) && (applies?.(difference) ?? true),
  )?.name;
}
