import type { DidElement, DidKey, ParentAttachment } from '../../contract/schemas/did.ts';
import { authorize } from '../authorize.ts';
import type { Context } from '../context.ts';
import { draftAttachment } from './attach.ts';
import { didNotFound } from './find.ts';
import { type Attachment, loadDraft } from './load-draft.ts';
import { isValidDid } from './names.ts';

/**
 * Attaches DIDs to one DID, all or nothing (spec/dids.md 2.6).
 *
 * @param rse Name of the RSE on which the files are registered first.
 * @throws AccessDenied (401), RSENotFound (404) and what {@link draftAttachment} throws; FileAlreadyExists,
 *   DuplicateContent (409).
 */
export async function attachDids(
  context: Context,
  parent: DidKey,
  dids: readonly DidElement[],
  rse: string | null | undefined,
): Promise<void> {
  await authorize(context, 'attach_dids', parent);
  if (!isValidDid(parent)) throw didNotFound(parent);
  await attachAll(context, [{ parent, dids, rse }], false);
}

/**
 * Attaches DIDs to many DIDs, all or nothing (spec/dids.md 2.8).
 *
 * @param ignoreDuplicate Passes over what is attached already.
 * @throws As {@link attachDids}.
 */
export async function attachDidsToDids(
  context: Context,
  attachments: readonly ParentAttachment[],
  ignoreDuplicate: boolean,
): Promise<void> {
  await authorize(context, 'attach_dids_to_dids', { scopes: attachments.map(({ scope }) => scope) });
  await attachAll(
    context,
    attachments.map(({ scope, name, dids, rse }) => ({ parent: { scope, name }, dids, rse })),
    ignoreDuplicate,
  );
}

async function attachAll(context: Context, attachments: readonly Attachment[], ignoreDuplicate: boolean) {
  await context.store.write(async (latest) => {
    const { rses, ...loaded } = await loadDraft(context, latest, attachments, { ignoreDuplicate });
    for (const { parent, dids, rse } of attachments) {
      await draftAttachment({ context, latest, ...loaded, rse: rses.get(rse ?? '') }, parent, dids);
    }
    return loaded.draft.plan();
  });
}
