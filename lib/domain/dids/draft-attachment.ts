import type { DidElement, DidKey } from '../../contract/schemas/did.ts';
import { fail, RucioError } from '../../errors.ts';
import type { NewCollectionDid, NewDid } from '../../store/entities/did.ts';
import { isArchiveName } from '../values/did-names.ts';
import { formatDid } from '../values/format-did.ts';
import type { AttachmentContext } from './attachment-context.ts';
import { collectionClosedError } from './draft-errors.ts';
import { findAncestorAmong } from './find-ancestor-among.ts';
import { didNotFoundError } from './find-did.ts';
import { registerFile, registerFiles } from './register-files.ts';
import { requireSameFile } from './require-same-file.ts';

const makePairKey = (parent: DidKey, child: DidKey) => `${formatDid(parent)} ${formatDid(child)}`;

/**
 * Drafts the attachment of DIDs to one DID (spec/dids.md 2.6). A child that is listed twice counts once.
 *
 * @throws AccessDenied (401) if the issuer may not register a file or replica; DataIdentifierNotFound (404);
 *   UnsupportedOperation (409) if types, the state of the parent or a circle forbid it; FileConsistencyMismatch (412);
 *   the errors of registering a file.
 */
export async function draftAttachment(attaching: AttachmentContext, parent: DidKey, elements: readonly DidElement[]) {
  const { draft } = attaching;
  const into = draft.find(parent);
  if (into === undefined) throw didNotFoundError(parent);
  if (into.type === 'FILE' && !isArchiveName(into.name)) {
    fail('UnsupportedOperation', `Data identifier '${formatDid(parent)}' is a file`);
  }
  if (into.type !== 'FILE' && into.open === false) throw collectionClosedError(parent);

  const fresh = elements.filter((element) => !draft.attaches(parent, element));
  if (into.type === 'CONTAINER') return attachCollections(attaching, into, fresh);
  const { rse, permission, skip } = attaching;
  if (into.type === 'FILE') {
    await permission.requireConstituents(fresh.filter((element) => skip?.has(makePairKey(parent, element)) !== true));
  } else if (rse !== undefined) {
    await permission.requireRegistration(draft, rse, fresh);
    registerFiles(attaching, { rse, elements: fresh, parent: into });
  }
  for (const element of fresh) attachFile(attaching, into, element);
}

function attachFile(attaching: AttachmentContext, parent: NewDid, element: DidElement): void {
  const { draft, skip, holders } = attaching;
  if (draft.attaches(parent, element)) return;
  const archive = parent.type === 'FILE';
  const child = draft.find(element) ?? (archive ? registerFile(attaching, element, parent) : undefined);
  if (child === undefined) throw didNotFoundError(element);
  if (child.type !== 'FILE') {
    const kind = archive ? 'an archive' : 'a dataset';
    fail(
      'UnsupportedOperation',
      `Data identifier ${formatDid(child)} of type DIDType.${child.type} cannot be added to ${kind} `,
    );
  }
  if (child.availability === 'LOST') {
    fail('UnsupportedOperation', `File ${formatDid(child)} is LOST and cannot be attached`);
  }
  requireSameFile(element, child);
  if (skip?.has(makePairKey(parent, child)) === true) return draft.relyOn(parent);
  draft.attach(parent, child);
  if (archive) {
    draft.markConstituent(child);
    draft.markArchive(parent);
    for (const holder of holders?.get(formatDid(parent)) ?? []) draft.markArchive(holder);
  } else if (child.isArchive === true) draft.markArchive(parent);
}

async function attachCollections(
  attaching: AttachmentContext,
  parent: NewCollectionDid,
  elements: readonly DidElement[],
) {
  const { draft, skip } = attaching;
  const expected = { type: undefined as string | undefined };
  const children = elements.map((element) => {
    if (formatDid(element) === formatDid(parent)) fail('UnsupportedOperation', 'Self-append is not valid!');
    const child = draft.find(element);
    if (child === undefined) throw didNotFoundError(element);
    if (child.type === 'FILE') {
      fail(
        'UnsupportedOperation',
        `Adding a file (${formatDid(child)}) to a container (${formatDid(parent)}) is forbidden`,
      );
    }
    expected.type ??= child.type;
    if (child.type !== expected.type) {
      fail(
        'UnsupportedOperation',
        `Mixed collection is not allowed: '${formatDid(child)}' is a DIDType.${child.type}` +
          `(expected type: DIDType.${expected.type})`,
      );
    }
    return child;
  });
  const above = expected.type === 'CONTAINER' ? await findAncestorAmong(attaching, parent, children) : undefined;
  if (above !== undefined) throw circularAttachmentError(above, parent);
  for (const child of children) {
    if (draft.attaches(parent, child)) continue;
    if (skip?.has(makePairKey(parent, child)) === true) draft.relyOn(parent);
    else draft.attach(parent, child);
  }
}

function circularAttachmentError(child: DidKey, parent: DidKey): RucioError {
  return new RucioError(
    'UnsupportedOperation',
    `Circular attachment detected. ${formatDid(child)} is already a parent of ${formatDid(parent)}`,
  );
}
