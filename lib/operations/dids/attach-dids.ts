import type { DidElement, DidKey, ParentAttachment } from '../../contract/schemas/did.ts';
import { draftAttachment } from '../../domain/dids/draft-attachment.ts';
import { concurrentDetachError } from '../../domain/dids/draft-errors.ts';
import { didNotFoundError } from '../../domain/dids/find-did.ts';
import { type Attachment, loadDraft } from '../../domain/dids/load-draft.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import type { Table } from '../../store/batches/table.ts';
import { requireNotShrinking } from '../../store/entities/did-conditions.ts';
import { type Did, getDids } from '../../store/entities/did.ts';

/**
 * Attaches DIDs to one DID, all or nothing (spec/dids.md 2.6).
 *
 * @param rse Name of the RSE on which the files are registered, if any.
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
  if (!isValidDid(parent)) throw didNotFoundError(parent);
  await attachAll(context, [{ parent, dids, rse }], false);
}

/**
 * Attaches DIDs to many DIDs, all or nothing (spec/dids.md 2.8).
 *
 * @param ignoreDuplicate Skip existing attachments.
 * @throws The errors of {@link attachDids}.
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
    const plan = loaded.draft.plan();
    if (plan.length === 0) await requireUndetached(latest, loaded.draft.reliedOn());
    return plan;
  });
}

/** A plan without writes has no conditions, so this checks that no skipped child was detached since it was read. */
async function requireUndetached(latest: Table, parents: readonly Did[]): Promise<void> {
  const held = new Map(parents.map((parent) => [formatDid(parent), requireNotShrinking(parent).shrinks]));
  const present = await getDids(latest.latest(), parents);
  const lost = present.find((parent) => requireNotShrinking(parent).shrinks !== held.get(formatDid(parent)));
  if (lost !== undefined) throw concurrentDetachError(lost);
}
