import type { DidKey } from '../../contract/schemas/did.ts';
import type { OpendataChange, OpendataChanged } from '../../contract/schemas/opendata.ts';
import type { OpendataState } from '../../contract/schemas/states.ts';
import { findDid } from '../../domain/dids/find-did.ts';
import { findOpendata } from '../../domain/opendata/find-opendata.ts';
import { planOpendataRule } from '../../domain/opendata/opendata-rule.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail, RucioError } from '../../errors.ts';
import { parseJson } from '../../json.ts';
import type { Table } from '../../store/batches/table.ts';
import { checkDid, type Did, getDid, touchDid } from '../../store/entities/did.ts';
import {
  changeOpendata,
  countOpendata,
  deleteOpendata,
  insertOpendata,
  type OpendataEntry,
  type OpendataTaken,
} from '../../store/entities/opendata.ts';
import { LostRace, type Plan, type Write } from '../../store/items/plan.ts';

/**
 * Adds a DID to the catalogue of open data, as a draft (spec/access.md 10.4).
 *
 * @throws AccessDenied (401); DataIdentifierNotFound (404); OpenDataDataIdentifierAlreadyExists (409).
 */
export async function addOpendata(context: Context, did: DidKey): Promise<void> {
  await authorize(context, 'add_opendata', did);
  const label = formatDid(did);
  const missing = () => new RucioError('DataIdentifierNotFound', `OpenData DID ${label} not found.`);
  if (!isValidDid(did)) throw missing();
  const { now } = context;
  await context.store.write(async (latest) => {
    const [found, counts] = await Promise.all([getDid(latest, did), countOpendata(latest)]);
    if (found === undefined) throw missing();
    const entry: OpendataEntry = { did, state: 'DRAFT', createdAt: now, updatedAt: now };
    const exists = () => new RucioError('OpenDataDataIdentifierAlreadyExists', `OpenData DID ${label} already exists.`);
    return [...insertOpendata(entry, counts, exists), touchDid(found)];
  });
}

/**
 * Removes a draft from the catalogue of open data (spec/access.md 10.5).
 *
 * @throws AccessDenied (401); OpenDataDataIdentifierNotFound (404); OpenDataInvalidState (400) for what was published.
 */
export async function removeOpendata(context: Context, did: DidKey): Promise<void> {
  await authorize(context, 'remove_opendata', did);
  const label = `'${formatDid(did)}'`;
  await context.store.write(async (latest) => {
    const entry = await findOpendata(latest, did, label);
    if (entry.state !== 'DRAFT') {
      const states = `State: OpenDataDIDState.${entry.state}, expected: OpenDataDIDState.DRAFT`;
      fail('OpenDataInvalidState', `OpenData entry ${label} not in a valid state for deletion. ${states}`);
    }
    return deleteOpendata([entry]);
  });
}

/**
 * Changes an entry of open data, all or nothing (spec/access.md 10.4).
 *
 * @throws AccessDenied (401); OpenDataDataIdentifierNotFound (404); OpenDataInvalidStateUpdate, OpenDataDuplicateDOI,
 *   OpenDataDuplicateRecordID (400); what {@link planOpendataRule} throws.
 */
export async function updateOpendata(context: Context, did: DidKey, change: OpendataChange): Promise<OpendataChanged> {
  await authorize(context, 'update_opendata', did);
  return context.store.decide(async (latest) => {
    const [entry, counts] = await Promise.all([
      findOpendata(latest, did, `'${formatDid(did)}'`),
      countOpendata(latest),
    ]);
    const { answer, writes } = await planState(latest, entry, change.state ?? undefined, context.now);
    const patch = {
      ...(answer.state_new === undefined ? {} : { state: { state: answer.state_new, at: context.now } }),
      doi: typeof change.doi === 'string' ? change.doi : undefined,
      recordId: change.record_id ?? undefined,
      meta: change.meta ?? undefined,
    };
    return {
      writes: [...changeOpendata(entry, patch, counts, taken), ...writes],
      answer: { ...did, ...answer, ...describe(entry, patch) },
    };
  });
}

interface StateChange {
  readonly answer: Pick<OpendataChanged, 'state_old' | 'state_new' | 'rule' | 'comments'>;
  readonly writes: Plan;
}

async function planState(
  latest: Table,
  entry: OpendataEntry,
  state: OpendataState | undefined,
  now: number,
): Promise<StateChange> {
  if (state === undefined) return { answer: {}, writes: [] };
  requireTransition(entry.state, state);
  const answer = { state_old: entry.state, state_new: state };
  if (state !== 'PUBLIC') return { answer, writes: [] };
  const did = await findDid(latest, entry.did);
  const writes: Write[] = [requireClosed(did)];
  const rule = await planOpendataRule(latest, did, now);
  if (rule === undefined) return { answer, writes };
  const comments = `Replication rule ${rule.isNew ? 'created' : 'already exists'}`;
  return { answer: { ...answer, rule: rule.id, comments }, writes: [...writes, ...rule.writes] };
}

function requireTransition(from: OpendataState, to: OpendataState): void {
  if (to === 'DRAFT' && from !== 'DRAFT') {
    fail(
      'OpenDataInvalidStateUpdate',
      'Cannot set state to DRAFT. Once a DID is made public, it cannot be reverted to DRAFT.',
    );
  }
  if (to === 'SUSPENDED' && from === 'DRAFT') {
    fail('OpenDataInvalidStateUpdate', 'Cannot set state to SUSPENDED from DRAFT. First set it to PUBLIC.');
  }
}

/** The condition that a DID is closed while it is made public; a file always is. */
function requireClosed(did: Did): Write {
  if (did.type === 'FILE') return checkDid(did, {}, () => new LostRace(`${formatDid(did)} was deleted concurrently`));
  const open = () =>
    new RucioError('OpenDataInvalidStateUpdate', 'Cannot set state to PUBLIC. The DID must be closed first.');
  if (did.open) throw open();
  return checkDid(did, { open: false }, open);
}

const taken: OpendataTaken = {
  doi: (doi) =>
    new RucioError(
      'OpenDataDuplicateDOI',
      `Data identifier with the same DOI (${doi}) already exists in the open data catalog.`,
    ),
  recordId: (id) =>
    new RucioError(
      'OpenDataDuplicateRecordID',
      `Data identifier with the same Record ID (${id}) already exists in the open data catalog.`,
    ),
};

interface Parts {
  readonly doi: string | undefined;
  readonly recordId: number | undefined;
  readonly meta: string | undefined;
}

function describe(entry: OpendataEntry, { doi, recordId, meta }: Parts): OpendataChanged | object {
  return {
    ...(meta === undefined ? {} : { meta_new: parseJson(meta) }),
    ...(doi === undefined ? {} : { doi_new: doi, doi_old: entry.doi ?? null }),
    ...(recordId === undefined ? {} : { record_id_new: recordId, record_id_old: entry.recordId ?? null }),
  };
}
