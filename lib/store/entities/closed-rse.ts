import type { Table } from '../batches/table.ts';
import { type Absence, type Change, type Insert, LostRace } from '../items/plan.ts';
import { rseKeys } from '../keys/rse-keys.ts';

/*
 * Whether an RSE takes replicas (docs/adr/0023-closed-rses.md). A closed one has marks; every plan that adds a replica requires
 * that one of them, drawn by lot, is absent. DynamoDB lets transactions that only check the same item conflict, and an item
 * takes 500 checks a second: so there are many marks.
 */

/** The number of marks of an RSE. A greater number would let plans pass that check a mark which older deletions have not. */
const slotCount = 256;

const slots = Array.from({ length: slotCount }, (_value, slot) => slot);

/** The writes that mark an RSE as closed. While they are staged, no plan that adds a replica takes effect. */
export function closeRse(rseId: string): Insert[] {
  const onExists = () => new LostRace(`RSE ${rseId} was closed concurrently`);
  return slots.map((slot) => ({ kind: 'insert', item: { ...rseKeys.closed(rseId, slot) }, onExists }));
}

/** The condition that an RSE is not closed when a plan takes effect. */
export function requireOpenRse(rseId: string): Absence {
  return {
    kind: 'absence',
    key: rseKeys.closed(rseId, Math.floor(Math.random() * slotCount)),
    onExists: () => new LostRace(`RSE ${rseId} was closed concurrently`),
  };
}

/** The writes that open a closed RSE again; none if it has no marks. */
export async function openRse(table: Table, rseId: string): Promise<Change[]> {
  const marks = await table.getMany(slots.map((slot) => rseKeys.closed(rseId, slot)));
  const onMismatch = () => new LostRace(`RSE ${rseId} was opened concurrently`);
  return marks.map(({ PK, SK }) => ({ kind: 'change', key: { PK, SK }, patch: { delete: true }, onMismatch }));
}
