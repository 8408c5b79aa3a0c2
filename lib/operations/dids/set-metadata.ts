import type { DidKey, Metadata } from '../../contract/schemas/did.ts';
import { DidPatches } from '../../domain/dids/did-patches.ts';
import { didNotFoundError } from '../../domain/dids/find-did.ts';
import { requireMetadataRoom } from '../../domain/dids/metadata-room.ts';
import { propagateFileKeys } from '../../domain/dids/propagate-file-keys.ts';
import { requireValidKeys, requireValidKeysOfEach, sortMetadata } from '../../domain/dids/sort-metadata.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { reservedKeys } from '../../domain/values/metadata-columns.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { requireNotPending, requireSettled } from '../../store/entities/did-conditions.ts';
import { metadataPatch, type MetadataValues } from '../../store/entities/did-metadata.ts';
import { type Did, type FileDid, getDids, isFile } from '../../store/entities/did.ts';
import { type Edge, listChildren } from '../../store/entities/edge.ts';
import { insertExpiry } from '../../store/entities/expiry.ts';
import { insertNewFiles } from '../../store/entities/new-did.ts';
import type { Plan, Write } from '../../store/items/plan.ts';

/** Metadata to set on a DID. */
export interface MetadataOfDid extends DidKey {
  readonly meta: Metadata;
}

/**
 * Sets one metadata key of a DID (spec/dids.md 2.16).
 *
 * @param recursive Also set it on the direct children, if the key is a plain column.
 * @throws InvalidMetadata, InvalidValueForKey (400); AccessDenied (401), also for a reserved key;
 *   DataIdentifierNotFound (404); UnsupportedOperation (409); PayloadTooLarge (413) for more free metadata than fits.
 */
export async function setMetadata(
  context: Context,
  did: DidKey,
  { key, value, recursive }: { readonly key: string; readonly value: unknown; readonly recursive: boolean },
): Promise<void> {
  if (reservedKeys.has(key))
    failDenied(context, `can not change this metadata value to data identifier ${formatDid(did)}`);
  await authorize(context, 'set_metadata', did);
  await writeMetadata(context, [{ ...did, meta: { [key]: value } }], recursive);
}

/**
 * Sets metadata of a DID, all or nothing (spec/dids.md 2.16).
 *
 * @throws The errors of {@link setMetadata}.
 */
export async function setMetadataBulk(
  context: Context,
  did: DidKey,
  { meta, recursive }: { readonly meta: Metadata; readonly recursive: boolean },
): Promise<void> {
  requireNoReserved(context, did, meta);
  await authorize(context, 'set_metadata_bulk', did);
  await writeMetadata(context, [{ ...did, meta }], recursive);
}

/**
 * Sets metadata of many DIDs, all or nothing (spec/dids.md 2.19). If a key of a DID is set twice, the later value wins.
 *
 * @throws The errors of {@link setMetadata}.
 */
export async function setDidsMetadataBulk(context: Context, dids: readonly MetadataOfDid[]): Promise<void> {
  for (const did of dids) {
    await authorize(context, 'set_metadata_bulk', did);
    requireNoReserved(context, did, did.meta);
  }
  await writeMetadata(context, dids, false);
}

function requireNoReserved(context: Context, did: DidKey, meta: Metadata): void {
  const reserved = Object.keys(meta).find((key) => reservedKeys.has(key));
  if (reserved === undefined) return;
  failDenied(context, `can not change the value of the metadata key ${reserved} to data identifier ${formatDid(did)}`);
}

function failDenied({ issuer }: Context, what: string): never {
  return fail('AccessDenied', `Account ${issuer.account} ${what}`);
}

async function writeMetadata(context: Context, dids: readonly MetadataOfDid[], recursive: boolean): Promise<void> {
  for (const { meta } of dids) requireValidKeys(meta);
  requireValidKeysOfEach(dids);
  // As in Rucio, a DID without metadata to set is not checked for existence.
  const given = dids.filter(({ meta }) => Object.keys(meta).length > 0);
  for (const did of given) if (!isValidDid(did)) throw didNotFoundError(did);
  if (given.length === 0) return;
  let attempts = 0;
  await context.store.write((latest) => {
    attempts += 1;
    return planMetadata(context, latest, given, { recursive, isRetry: attempts > 1 });
  });
}

/** The writes that set metadata of DIDs, including expiry, the list of new files and copies of file keys. */
async function planMetadata(
  { now }: Context,
  latest: Table,
  dids: readonly MetadataOfDid[],
  { recursive, isRetry }: { readonly recursive: boolean; readonly isRetry: boolean },
): Promise<Plan> {
  const found = new Map((await getDids(latest, dids)).map((did) => [formatDid(did), did]));
  const patches = new DidPatches();
  const writes: Write[] = [];
  const files: { file: FileDid; values: MetadataValues }[] = [];
  const renewed: Did[] = [];
  const metaOf = new Map<string, Did['meta']>();
  for (const { meta, ...key } of dids) {
    const did = found.get(formatDid(key));
    if (did === undefined) throw didNotFoundError(key);
    const values = sortMetadata(did, meta, now);
    const patch = metadataPatch(did, values, now);
    requireNotPending(did, [...Object.keys(patch.set ?? {}), ...(patch.remove ?? [])]);
    const before = metaOf.get(formatDid(key)) ?? did.meta;
    const after = { ...before, ...values.meta };
    metaOf.set(formatDid(key), after);
    if (Object.keys(values.meta).length > 0 && requireMetadataRoom(did, before, after))
      patches.require(did, requireSettled(did));
    patches.add(did, patch);
    if (values.attributes.expiredAt !== undefined) writes.push(insertExpiry(did, values.attributes.expiredAt));
    if (did.type === 'FILE') files.push({ file: did, values });
    if (values.columns['is_new'] === true) renewed.push(did);
    if (recursive && did.type !== 'FILE') await patchChildren(latest, did, values, { now, patches, isRetry });
  }
  for (const did of renewed) patches.add(did, { set: { newAt: now } });
  const edges = await propagateFileKeys(latest, files, { now, patches });
  return [...patches.changes(), ...edges, ...insertNewFiles(renewed.filter(isFile), now), ...writes];
}

/**
 * Sets plain columns on the direct children only, as Rucio does (spec/dids.md 2.16). A retry reads the children, since the
 * first attempt may have failed for one that is being deleted and still attached.
 */
async function patchChildren(
  latest: Table,
  parent: DidKey,
  { attributes, columns }: MetadataValues,
  { now, patches, isRetry }: { readonly now: number; readonly patches: DidPatches; readonly isRetry: boolean },
): Promise<void> {
  const { eol_at: _special, ...plain } = columns;
  const { expiredAt: _expiredAt, guid: _guid, events: _events, ...own } = attributes;
  if (Object.keys(plain).length + Object.keys(own).length === 0) return;
  const values: MetadataValues = { attributes: own, columns: plain, meta: {} };
  const toPatch = ({ child, type }: Edge) => metadataPatch({ ...child, type }, values, now);
  const edges = await Array.fromAsync(listChildren(latest, parent));
  const children = edges.map(({ child }) => child);
  const present = new Set((isRetry ? await getDids(latest, children) : children).map(formatDid));
  for (const edge of edges) if (present.has(formatDid(edge.child))) patches.addToChild(edge.child, toPatch(edge));
}
