import type { DidElement, DidKey } from '../../contract/schemas/did.ts';
import { defined } from '../../defined.ts';
import { fail } from '../../errors.ts';
import type { MetadataValues } from '../../store/entities/did-metadata.ts';
import type { Did, NewDid, Replica } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { failRseDisabled } from '../rses/find-rse.ts';
import { replicaPath } from '../rses/pfn/replica-path.ts';
import { stateLetter } from '../values/replica-states.ts';
import type { RegistrationContext } from './attachment-context.ts';
import { getImpliedMetadata } from './implied-metadata.ts';
import { sortMetadata } from './sort-metadata.ts';

/**
 * Drafts files and their replicas on an RSE; an existing file keeps what it is, and so does an existing replica
 * (spec/dids.md 2.6 A1, spec/replication.md 1.2). Whether the RSE can be written to at present does not matter here, as
 * in Rucio.
 *
 * @param parent The dataset that the files are going to be attached to, if there is one.
 * @throws RSENotFound (404) when the RSE is disabled; UnsupportedOperation (409) when it takes no registrations or needs
 *   PFNs; KeyError (400) when a new file comes without `bytes`; InvalidMetadata, InvalidValueForKey (400); what
 *   {@link replicaPath} throws of a PFN.
 */
export function registerFiles(
  registering: RegistrationContext,
  { rse, elements, parent }: { rse: Rse; elements: readonly DidElement[]; parent?: Did | NewDid },
): void {
  const { draft } = registering;
  requireRegistrable(rse, elements);
  for (const element of elements) {
    if (draft.find(element) === undefined) registerFile(registering, element, parent);
  }
  for (const element of elements) {
    const path = element.pfn === undefined ? undefined : replicaPath(rse, keyOf(element), element.pfn);
    const file = draft.find(element);
    if (file?.type === 'FILE') draft.addReplica(file, rse.id, newReplica(registering, { rse, element, path, file }));
  }
}

/**
 * Drafts a file (spec/dids.md 2.6 A1, C). In an archive it has no replica: it lies where the archive lies.
 *
 * @param parent What the file is going to be attached to, if anything.
 * @throws KeyError (400) without `bytes`; InvalidMetadata, InvalidValueForKey (400).
 */
export function registerFile(registering: RegistrationContext, element: DidElement, parent?: Did | NewDid): NewDid {
  const file = newFile(registering, element, parent);
  registering.draft.make(file);
  return file;
}

function newFile({ context }: RegistrationContext, element: DidElement, parent: Did | NewDid | undefined): NewDid {
  const { scope, name, adler32, md5, meta } = element;
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

/** Sorted metadata as members of a DID that is to be made; what is to say its default is left out. */
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

interface ReplicaParts {
  readonly rse: Rse;
  readonly element: DidElement;
  readonly path: string | undefined;
  readonly file: Did | NewDid;
}

function newReplica(
  { context: { issuer, now } }: RegistrationContext,
  { rse, element, path, file }: ReplicaParts,
): Replica {
  const { state = 'A' } = element;
  return {
    state: stateLetter(state),
    ...defined({
      path,
      account: file.account === issuer.account ? undefined : issuer.account,
      createdAt: file.createdAt === now ? undefined : now,
      tombstone: firstTombstone(rse, now),
    }),
  };
}

/** From when on a new replica may be deleted, by the RSE's attribute `tombstone_delay` in seconds: at once if negative. */
function firstTombstone({ attributes }: Rse, now: number): number | undefined {
  const delay = Number.parseInt(String(attributes['tombstone_delay'] ?? ''), 10);
  if (!Number.isSafeInteger(delay * 1000) || delay === 0) return undefined;
  return delay < 0 ? 0 : now + delay * 1000;
}

function keyOf({ scope, name }: DidElement): DidKey {
  return { scope, name };
}
