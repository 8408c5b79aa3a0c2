import type { DidKey } from '../../contract/schemas/did.ts';
import type { DiracFiles } from '../../contract/schemas/dirac.ts';
import { readOption } from '../../domain/config/read-option.ts';
import { readLfn } from '../../domain/dirac/lfn.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { findDidNameProblem } from '../../domain/values/did-names.ts';
import { fail } from '../../errors.ts';
import { type DiracTerms, type PathedFile, planFiles } from './plan-files.ts';

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
  const extraction = await readOption(table, 'common', 'extract_scope');
  const files = lfns.map((input): PathedFile => ({ input, ...readLfn(input.lfn, extraction) }));
  for (const { file, dataset, containers } of files)
    for (const did of [file, dataset, ...containers]) requirePossible(did);
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

/** Parts of a path may be such that no DID can have them. */
function requirePossible(did: DidKey): void {
  if (findDidNameProblem(did) === undefined) return;
  fail('InvalidPath', `The path '${did.name}' is no name of a DID in the scope '${did.scope}'`);
}
