import type { NewReplica } from '../../contract/schemas/replica.ts';
import { fail } from '../../errors.ts';
import { getLocalLimit } from '../../store/entities/account-limit.ts';
import { getDids } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { authorize, isPermitted } from '../authorize.ts';
import type { Context } from '../context.ts';
import { Draft } from '../dids/draft.ts';
import { formatDid } from '../dids/format-did.ts';
import { registerFiles } from '../dids/register.ts';
import { pythonRepr } from '../python-text.ts';
import { recallLiveRse } from '../rses/find-rse.ts';
import { requireScope } from '../scopes/require-scope.ts';

/** Replicas to register. */
interface Registration {
  readonly rse: string;
  readonly files: readonly NewReplica[];
  /** Takes RSEs that cannot be written to at present; of admins only. */
  readonly ignore_availability: boolean;
}

/**
 * Registers replicas on an RSE, and the files that there are not yet, all or nothing; what is registered already stays as
 * it is (spec/replication.md 1.2).
 *
 * @throws AccessDenied (401); RSENotFound, ScopeNotFound (404); DataIdentifierAlreadyExists (409) where a collection has
 *   the name of a file; UnsupportedOperation (409); ResourceTemporaryUnavailable (503); what {@link registerFiles} throws.
 */
export async function addReplicas(context: Context, registration: Registration): Promise<void> {
  const { files } = registration;
  await context.store.write(async (latest) => {
    const [rse, dids] = await Promise.all([
      recallLiveRse(context.store.table, registration.rse),
      getDids(latest, files),
    ]);
    await requireRight(context, rse, registration);
    const draft = new Draft(context.now, dids);
    await requireFiles(context, draft, { rse, files });
    registerFiles({ context, latest, draft, rse }, { rse, elements: files });
    return draft.plan();
  });
}

async function requireRight(context: Context, rse: Rse, { files, ignore_availability: ignore }: Registration) {
  await authorize(context, 'add_replicas', {
    rseName: rse.rse,
    scopes: files.map(({ scope }) => scope),
    hasLimit: () => hasLimit(context, rse),
  });
  if (rse.volatile || rse.availabilityWrite) return;
  if (ignore && (await isPermitted(context, 'skip_availability_check', {}))) return;
  fail('ResourceTemporaryUnavailable', `${rse.rse} is temporary unavailable for writing`);
}

/** What is registered has to be a file, or has to become one. */
async function requireFiles(
  context: Context,
  draft: Draft,
  { rse, files }: { rse: Rse; files: readonly NewReplica[] },
) {
  const unknown: NewReplica[] = [];
  for (const file of files) {
    const found = draft.find(file);
    if (found === undefined) unknown.push(file);
    else if (found.type !== 'FILE') {
      fail('DataIdentifierAlreadyExists', `Data Identifier ${formatDid(found)} already exists and is a ${found.type}`);
    }
  }
  await requirePermission(context, rse, unknown);
  await Promise.all([...new Set(unknown.map(({ scope }) => scope))].map((scope) => requireScope(context, scope)));
}

async function hasLimit({ store, issuer }: Context, { id }: Rse): Promise<boolean> {
  const limit = await getLocalLimit(store.table, issuer.account, id);
  return limit !== undefined && limit !== 0;
}

/** Who may register replicas may not make files everywhere. */
async function requirePermission(context: Context, { rse }: Rse, unknown: readonly NewReplica[]): Promise<void> {
  const scopes = unknown.map(({ scope }) => scope);
  if (await isPermitted(context, 'add_dids', { scopes, ruleAccounts: [] })) return;
  const files = unknown
    .map(
      ({ scope, name }) => `{'scope': ${pythonRepr(scope)}, 'name': ${pythonRepr(name)}, 'type': <DIDType.FILE: 'F'>}`,
    )
    .join(', ');
  fail(
    'AccessDenied',
    `Operation involves the following new files which will require the creation of new DIDs:\n[${files}]\n` +
      `However, account ${context.issuer.account} can not add file DIDs on ${rse}`,
  );
}
