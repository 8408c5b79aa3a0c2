import type { NewReplica } from '../../contract/schemas/replica.ts';
import { DidDraft } from '../../domain/dids/did-draft.ts';
import { registerFiles } from '../../domain/dids/register-files.ts';
import { RegistrationPermission } from '../../domain/dids/registration-permission.ts';
import { isPermitted } from '../../domain/permission/authorize.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import { requireScope } from '../../domain/scopes/require-scope.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import { getDids } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';

/** Replicas to register. */
interface Registration {
  readonly rse: string;
  readonly files: readonly NewReplica[];
  /** Also accept an RSE that is not available for writing; admins only. */
  readonly ignore_availability: boolean;
}

/**
 * Registers replicas on an RSE, and files that do not exist yet, all or nothing. Existing replicas do not change
 * (spec/replication.md 1.2).
 *
 * @throws AccessDenied (401); RSENotFound, ScopeNotFound (404); DataIdentifierAlreadyExists (409) if a collection has
 *   the name of a file; UnsupportedOperation (409); ResourceTemporaryUnavailable (503); what {@link registerFiles}
 *   throws.
 */
export async function addReplicas(context: Context, registration: Registration): Promise<void> {
  const { files } = registration;
  await context.store.write(async (latest) => {
    const [rse, dids] = await Promise.all([requireCachedLiveRse(latest, registration.rse), getDids(latest, files)]);
    const permission = new RegistrationPermission(context);
    const draft = new DidDraft(context.now, dids);
    await permission.requireReplicas(draft, rse, files);
    await requireWritable(context, rse, registration);
    const unknown = findUnknown(draft, files);
    await permission.requireFiles(rse, unknown);
    await Promise.all([...new Set(unknown.map(({ scope }) => scope))].map((scope) => requireScope(context, scope)));
    registerFiles({ context, draft }, { rse, elements: files });
    return draft.plan();
  });
}

async function requireWritable(context: Context, rse: Rse, { ignore_availability: ignore }: Registration) {
  if (rse.volatile || rse.availabilityWrite) return;
  if (ignore && (await isPermitted(context, 'skip_availability_check', {}))) return;
  fail('ResourceTemporaryUnavailable', `${rse.rse} is temporary unavailable for writing`);
}

/** The files that do not exist yet. Throws if a name belongs to a collection. */
function findUnknown(draft: DidDraft, files: readonly NewReplica[]): NewReplica[] {
  return files.filter((file) => {
    const found = draft.find(file);
    if (found !== undefined && found.type !== 'FILE') {
      fail('DataIdentifierAlreadyExists', `Data Identifier ${formatDid(found)} already exists and is a ${found.type}`);
    }
    return found === undefined;
  });
}
