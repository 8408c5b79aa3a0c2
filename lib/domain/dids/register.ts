import type { DidElement } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import type { Did, NewDid, Replica } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Attaching } from './attach.ts';
import { sortMetadata } from './metadata.ts';
import { formatDid } from './names.ts';

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
  const file = existing ?? newFile(attaching, element);
  if (existing === undefined) draft.make(file);
  if (rse !== undefined && file.type === 'FILE') {
    draft.addReplica(file, rse.id, newReplica(rse, element));
  } else if (existing === undefined && parent.type === 'FILE') {
    draft.markConstituent(file);
  }
  return file;
}

function newFile({ context }: Attaching, element: DidElement): NewDid {
  const { scope, name, adler32, md5, meta } = element;
  const bytes = element.bytes ?? fail('KeyError', `'bytes' not defined`);
  const sorted = sortMetadata({ scope, name, type: 'FILE' }, meta ?? {}, context.now);
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

/** Sorted metadata as attributes of a DID; what is not there takes no room in the table. */
export function sortedAttributes({ attributes, columns, meta }: ReturnType<typeof sortMetadata>): Partial<NewDid> {
  const { expiredAt, ...rest } = attributes;
  return {
    ...rest,
    ...(expiredAt === undefined || expiredAt === null ? {} : { expiredAt }),
    ...(Object.keys(columns).length > 0 ? { columns } : {}),
    ...(Object.keys(meta).length > 0 ? { meta } : {}),
  };
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
