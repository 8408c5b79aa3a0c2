import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { DiracFiles } from '../../contract/schemas/dirac.ts';
import { readOption } from '../../domain/config/read-option.ts';
import { listAskedScopes, readLfn, type ScopeFinding } from '../../domain/dirac/lfn.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { findDidNameProblem } from '../../domain/values/did-names.ts';
import { isScopeName } from '../../domain/values/scope-name.ts';
import { fail } from '../../errors.ts';
import { mapLimited } from '../../parallel.ts';
import { builtInScopeRules } from '../../policy/scope-of-name.ts';
import type { Table } from '../../store/batches/table.ts';
import { getScope } from '../../store/entities/scope.ts';
import { type DiracTerms, type PathedFile, planFiles } from './plan-files.ts';

import policy from '#policy';

/**
 * Adds files with a replica and a rule each, the dataset of each with a rule, and the containers above it, all or
 * nothing. Files that exist are skipped (spec/access.md 11).
 *
 * @throws InvalidPath, InvalidRSEExpression (400); AccessDenied (401); RSENotFound, ScopeNotFound (404);
 *   UnsupportedOperation (405) if a name of the path is a DID of another type; quota errors (409);
 *   ResourceTemporaryUnavailable (503) for an RSE that is not writable.
 */
export async function addDiracFiles(context: Context, { lfns, ...options }: DiracFiles): Promise<void> {
  const { table } = context.store;
  const finding = await openFinding(table, lfns);
  const files = lfns.map((input): PathedFile => ({ input, ...readLfn(input.lfn, finding) }));
  for (const { file, dataset, containers } of files) {
    requirePossible(file, 'FILE');
    requirePossible(dataset, 'DATASET');
    for (const container of containers) requirePossible(container, 'CONTAINER');
  }
  await authorize(context, 'add_dids', {
    scopes: files.map(({ file }) => file.scope),
    ruleAccounts: [],
    locksRules: false,
  });
  const terms: DiracTerms = {
    ignoreAvailability: options.ignore_availability,
    metadata: new Map(Object.entries(options.parents_metadata ?? {})),
    lifetimes: await readOption(table, 'dirac', 'lifetime'),
    fileLifetime: await readOption(table, 'dirac', 'file_lifetime'),
  };
  await context.store.write((latest) => planFiles(context, latest, files, terms));
}

/** How many scopes are looked up at once. */
const maxParallelScopes = 16;

/** The convention for scopes that the configuration chooses, with the scopes that it needs to know. */
async function openFinding(table: Table, lfns: DiracFiles['lfns']): Promise<ScopeFinding> {
  const convention = await readOption(table, 'common', 'extract_scope');
  const rule = policy.scopeOfName[convention] ?? builtInScopeRules.dirac;
  const asked = listAskedScopes(
    lfns.map(({ lfn }) => lfn),
    rule,
  ).filter(isScopeName);
  const found = await mapLimited(asked, maxParallelScopes, (scope) => getScope(table, scope));
  return { rule, known: new Set(found.flatMap((scope) => scope?.scope ?? [])) };
}

/** Parts of a path may be such that no DID can have them. */
function requirePossible(did: DidKey, type: DidType): void {
  if (findDidNameProblem(did, type) === undefined) return;
  fail('InvalidPath', `The path '${did.name}' is no name of a DID in the scope '${did.scope}'`);
}
