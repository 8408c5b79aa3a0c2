import type { DidKey } from '../../contract/schemas/did.ts';
import { findDid } from '../../domain/dids/find-did.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail, RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { requireSettled } from '../../store/entities/did-conditions.ts';
import { asCollection, changeDid, type CollectionDid } from '../../store/entities/did.ts';
import { LostRace, type Plan } from '../../store/items/plan.ts';
import { measureSize } from './get-did.ts';

/**
 * Attempts to close and measure in one plan. After that the collection is closed first and measured in a second plan.
 */
const maxSinglePlanAttempts = 2;

/**
 * Closes or opens a collection (spec/dids.md 2.4). Closing counts the files of a container and waits for bulk requests
 * that add to the collection. After repeated conflicts the collection is closed first and counted afterwards.
 *
 * @param statuses The body: only `open`, truthy or falsy as in Python.
 * @throws AccessDenied (401), DataIdentifierNotFound (404); UnsupportedStatus (409) for any other key;
 *   UnsupportedOperation (409) if the DID is a file or has that state already.
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
  const statusError = () =>
    new RucioError('UnsupportedOperation', `The status of the data identifier '${formatDid(did)}' cannot be changed`);

  let attempts = 0;
  await context.store.write(async (latest) => {
    attempts += 1;
    const found = await findDid(latest, did);
    if (found.type === 'FILE' || found.open === open) throw statusError();
    if (open) return change(found, { open, updatedAt: context.now }, { open: false });
    const closed = { open, updatedAt: context.now, closedAt: context.now, eventsCounted: true };
    if (attempts > maxSinglePlanAttempts) return change(found, closed, { open: true });
    return change(
      found,
      { ...closed, ...(await measureSize(latest, found)) },
      { open: true, ...requireSettled(found) },
    );
  });
  if (!open && attempts > maxSinglePlanAttempts) await context.store.write((latest) => measureClosed(latest, did));
}

/** The write that sets the size of a closed collection, after pending bulk requests have ended. */
async function measureClosed(latest: Table, did: DidKey): Promise<Plan> {
  const found = asCollection(await findDid(latest, did));
  return found?.open === false ? change(found, { ...(await measureSize(latest, found)) }, requireSettled(found)) : [];
}

function change(
  did: CollectionDid,
  set: Readonly<Record<string, unknown>>,
  when: Readonly<Record<string, unknown>>,
): Plan {
  const conflict = () => new LostRace(`${formatDid(did)} was changed concurrently`);
  return [changeDid(did, { set }, { when, onMismatch: conflict })];
}

/** Whether Python would treat a value as true. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
