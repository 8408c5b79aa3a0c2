import type { DidElement } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import type { Did, NewDid, Replica } from '../../store/entities/did.ts';
import type { MetadataValues } from '../../store/entities/did-metadata.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Attaching } from './attaching.ts';
import { conventionalMetadata } from './convention.ts';
import { sortMetadata } from './metadata.ts';
import { defined, formatDid } from './names.ts';

const stateLetters: Readonly<Record<string, string>> = {
  AVAILABLE: 'A',
  UNAVAILABLE: 'U',
  COPYING: 'C',
  BEING_DELETED: 'B',
  BAD: 'D',
  SOURCE: 'S',
  TEMPORARY_UNAVAILABLE: 'T',
};

/**
 * Drafts a file and, with an RSE, its replica there; an existing file keeps what it is (spec/dids.md 2.6 A1, C).
 *
 * @param parent What the file is attached to.
 * @returns The file.
 * @throws KeyError (400) when a new file comes without `bytes`; UnsupportedOperation (409) when the RSE takes no
 *   registrations or needs a PFN; RSEProtocolNotSupported when a PFN cannot be checked; InvalidMetadata,
 *   InvalidValueForKey (400).
 */
export function registerFile(attaching: Attaching, element: DidElement, parent: Did | NewDid): Did | NewDid {
  const { draft, rse } = attaching;
  const existing = draft.find(element);
  const file = existing ?? newFile(attaching, element, parent);
  if (existing === undefined) draft.make(file);
  if (rse !== undefined && file.type === 'FILE') {
    draft.addReplica(file, rse.id, newReplica(rse, element));
  } else if (existing === undefined && parent.type === 'FILE') {
    draft.markConstituent(file);
  }
  return file;
}

function newFile({ context }: Attaching, element: DidElement, parent: Did | NewDid): NewDid {
  const { scope, name, adler32, md5, meta } = element;
  const bytes = element.bytes ?? fail('KeyError', `'bytes' not defined`);
  const conventional = parent.type === 'DATASET' ? conventionalMetadata(parent) : {};
  const sorted = sortMetadata({ scope, name, type: 'FILE' }, { ...meta, ...conventional }, context.now);
  return {
    scope,
    name,
    type: 'FILE',
    account: context.issuer.account,
    bytes,
    ...(adler32 === undefined ? {} : { adler32 }),
    ...(md5 === undefined ? {} : { md5 }),
    ...sortedAttributes(sorted),
    createdAt: context.now,
    updatedAt: context.now,
    replicas: new Map(),
  };
}

/** Sorted metadata as members of a DID that is to be made; what is to say its default is left out. */
export function sortedAttributes({ attributes, columns, meta }: MetadataValues): Pick<NewDid, 'columns' | 'meta'> {
  return { ...defined(attributes), columns: defined(columns), meta };
}

function newReplica(rse: Rse, { scope, name, state, pfn }: DidElement): Replica {
  if (rse.volatile) fail('UnsupportedOperation', `Cannot add replicas on volatile RSE ${rse.rse} `);
  if (!rse.deterministic && pfn === undefined) {
    fail('UnsupportedOperation', `PFN needed for this (non deterministic) RSE ${rse.rse} `);
  }
  if (pfn !== undefined) {
    // An RSE has no protocols yet with which a PFN could be told to be right.
    fail(
      'RSEProtocolNotSupported',
      `RSE ${rse.rse} has no protocol for the PFN ${pfn} of ${formatDid({ scope, name })}`,
    );
  }
  return { state: stateLetters[state ?? 'A'] ?? state ?? 'A' };
}
