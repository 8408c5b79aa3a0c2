import type { DidKey } from '../../contract/schemas/did.ts';
import { findDid } from '../../domain/dids/find-did.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail, RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { requireSettled } from '../../store/entities/did-conditions.ts';
import { changeDid, type Did } from '../../store/entities/did.ts';
import { LostRace, type Plan } from '../../store/items/plan.ts';
import { measureSize } from './get-did.ts';

/** How often a collection is to be closed at one stroke, before it is closed to others first. */
const patience = 2;

/**
 * Closes or opens a collection (spec/dids.md 2.4). Closing counts a container's files and waits until bulk requests that
 * are adding to the collection are through. One that others change all the time is closed to them first, and counted
 * then.
 *
 * @param statuses The body: `open` and nothing else, judged by its truth.
 * @throws AccessDenied (401), DataIdentifierNotFound (404); UnsupportedStatus (409) for any other key;
 *   UnsupportedOperation (409) when the DID is in that state already or a file.
 */
export async function setStatus(
  context: Context,
  did: DidKey,
  statuses: Readonly<Record<string, unknown>>,
): Promise<void> {
  await authorize(context, 'set_status', did);
  const keys = Object.keys(statuses);
  if (keys.length === 0) fail('KeyError', `'open' not defined`);
  const unknown = keys.find((key) => key !== 'open');
  if (unknown !== undefined) {
    fail('UnsupportedStatus', `The status ${unknown} is not a valid data identifier status.`);
  }
  const open = isTrue(statuses['open']);
  const refused = () =>
    new RucioError('UnsupportedOperation', `The status of the data identifier '${formatDid(did)}' cannot be changed`);

  let attempts = 0;
  await context.store.write(async (latest) => {
    attempts += 1;
    const found = await findDid(latest, did);
    if (found.type === 'FILE' || found.open === open) throw refused();
    if (open) return change(found, { open, updatedAt: context.now }, { open: false });
    const closed = { open, updatedAt: context.now, closedAt: context.now, eventsCounted: true };
    if (attempts > patience) return change(found, closed, { open: true });
    return change(
      found,
      { ...closed, ...(await measureSize(latest, found)) },
      { open: true, ...requireSettled(found) },
    );
  });
  if (!open && attempts > patience) await context.store.write((latest) => measureClosed(latest, did));
}

/** The write that gives a closed collection its size, once what was being added when it was closed is there. */
async function measureClosed(latest: Table, did: DidKey): Promise<Plan> {
  const found = await findDid(latest, did);
  return found.open === false ? change(found, { ...(await measureSize(latest, found)) }, requireSettled(found)) : [];
}

function change(did: Did, set: Readonly<Record<string, unknown>>, when: Readonly<Record<string, unknown>>): Plan {
  const raced = () => new LostRace(`${formatDid(did)} was changed meanwhile`);
  return [changeDid(did, { set }, { when, onMismatch: raced })];
}

/** Truth as Python judges it. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
