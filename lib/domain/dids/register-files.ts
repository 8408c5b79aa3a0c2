import type { DidElement, DidKey } from '../../contract/schemas/did.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { defined } from '../../defined.ts';
import { fail } from '../../errors.ts';
import type { MetadataValues } from '../../store/entities/did-metadata.ts';
import type { NewDid, NewFileDid, Replica } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { isBeingReaped } from '../locks/deletion-mark.ts';
import { failRseDisabled } from '../rses/find-rse.ts';
import { findContestedPath, hasPath } from '../rses/pfn/contested-path.ts';
import { replicaPath } from '../rses/pfn/replica-path.ts';
import { requireValidDidName } from '../values/did-names.ts';
import { computeFirstTombstone } from '../values/first-tombstone.ts';
import { formatDid } from '../values/format-did.ts';
import type { RegistrationContext } from './attachment-context.ts';
import { getImpliedMetadata } from './implied-metadata.ts';
import { requireSameFile } from './require-same-file.ts';
import { sortMetadata } from './sort-metadata.ts';

/** The length of Rucio's column. */
const maxPathLength = 1_024;

/**
 * Drafts files and their replicas on an RSE. Existing files and replicas do not change (spec/dids.md 2.6 A1,
 * spec/replication.md 1.2), but for a replica that may be deleted: its former tombstone must not take a new upload. As in
 * Rucio, the write availability of the RSE is not checked here.
 *
 * @param parent The dataset to which the files will be attached, if any.
 * @throws RSENotFound (404) if the RSE is disabled; UnsupportedOperation (409) if it is volatile or needs PFNs;
 *   FileConsistencyMismatch (412) if size or checksum of a known file are others;
 *   ResourceTemporaryUnavailable (503) while a reaper deletes the file; KeyError (400) for a new file without `bytes`;
 *   InvalidMetadata, InvalidValueForKey (400); the errors of {@link replicaPath}.
 */
export function registerFiles(
  registering: RegistrationContext,
  { rse, elements, parent }: { rse: Rse; elements: readonly DidElement[]; parent?: NewDid },
): void {
  const { draft } = registering;
  requireRegistrable(rse, elements);
  for (const element of elements) {
    if (draft.find(element) === undefined) registerFile(registering, element, parent);
  }
  for (const element of elements) {
    const did = toDidKey(element);
    requirePath(rse, did);
    const path =
      (element.pfn === undefined ? undefined : replicaPath(rse, did, element.pfn)) ?? findContestedPath(rse, did);
    if ((path?.length ?? 0) > maxPathLength)
      fail('InvalidObject', `The path of ${formatDid(element)} is longer than ${maxPathLength} characters`);
    const file = draft.find(element);
    if (file?.type !== 'FILE') continue;
    requireSameFile(element, file, { ifKnown: true });
    requireNotReaped(file, rse, registering.context.now);
    draft.addReplica(file, rse.id, makeReplica(registering, { rse, element, path, file }));
  }
}

/**
 * Drafts a file (spec/dids.md 2.6 A1, C). A new constituent of an archive gets no replica of its own.
 *
 * @param parent The DID to which the file will be attached, if any.
 * @throws KeyError (400) without `bytes`; InvalidMetadata, InvalidObject, InvalidValueForKey (400).
 */
export function registerFile(registering: RegistrationContext, element: DidElement, parent?: NewDid): NewFileDid {
  const file = makeFile(registering, element, parent);
  registering.draft.make(file);
  return file;
}

function makeFile({ context }: RegistrationContext, element: DidElement, parent: NewDid | undefined): NewFileDid {
  const { scope, name, adler32, md5, meta } = element;
  requireValidDidName(element, 'FILE');
  const bytes = element.bytes ?? fail('KeyError', `'bytes' not defined`);
  const conventional = parent?.type === 'DATASET' ? getImpliedMetadata(parent) : {};
  const sorted = sortMetadata({ scope, name, type: 'FILE' }, { ...meta, ...conventional }, context.now);
  return {
    scope,
    name,
    type: 'FILE',
    account: context.issuer.account,
    bytes,
    ...(adler32 === undefined ? {} : { adler32 }),
    ...(md5 === undefined ? {} : { md5 }),
    ...toDidAttributes(sorted),
    createdAt: context.now,
    updatedAt: context.now,
    replicas: new Map(),
  };
}

/** @throws InvalidPath (400) for a file that has no path by the algorithm of the RSE: nobody could find it. */
function requirePath(rse: Rse, did: DidKey): void {
  if (hasPath(rse, did)) return;
  fail('InvalidPath', `${formatDid(did)} has no path by the lfn2pfn_algorithm of ${rse.rse}`);
}

/** Sorted metadata as members of a new DID. Undefined members are left out and show their default. */
export function toDidAttributes({ attributes, columns, meta }: MetadataValues): Pick<NewDid, 'columns' | 'meta'> {
  return { ...defined(attributes), columns: defined(columns), meta };
}

function requireRegistrable(rse: Rse, elements: readonly DidElement[]): void {
  if (rse.deletedAt !== undefined) failRseDisabled(rse.id);
  if (rse.volatile) fail('UnsupportedOperation', `Cannot add replicas on volatile RSE ${rse.rse} `);
  if (!rse.deterministic && elements.some(({ pfn }) => pfn === undefined)) {
    fail('UnsupportedOperation', `PFN needed for this (non deterministic) RSE ${rse.rse} `);
  }
}

/**
 * @throws ResourceTemporaryUnavailable (503) while a reaper may be deleting the file: what is uploaded now might be what it
 *   deletes.
 */
export function requireNotReaped(
  file: Pick<NewFileDid, keyof DidKey | 'createdAt' | 'replicas'>,
  rse: Rse,
  now: number,
) {
  const replica = file.replicas.get(rse.id);
  if (replica === undefined || !isBeingReaped(file, replica, now)) return;
  const what = `${formatDid(file)} is being deleted from ${rse.rse}`;
  fail('ResourceTemporaryUnavailable', `${what}; try again in a few minutes`);
}

interface ReplicaParts {
  readonly rse: Rse;
  readonly element: DidElement;
  readonly path: string | undefined;
  readonly file: NewFileDid;
}

function makeReplica(
  { context: { issuer, now } }: RegistrationContext,
  { rse, element, path, file }: ReplicaParts,
): Replica {
  const { state = ReplicaState.AVAILABLE } = element;
  return {
    state,
    ...defined({
      path,
      ownsPath: path === undefined ? undefined : (true as const),
      account: file.account === issuer.account ? undefined : issuer.account,
      createdAt: file.createdAt === now ? undefined : now,
      tombstone: computeFirstTombstone(rse, now),
    }),
  };
}

function toDidKey({ scope, name }: DidElement): DidKey {
  return { scope, name };
}
