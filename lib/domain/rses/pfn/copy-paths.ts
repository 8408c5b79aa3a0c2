import type { DidKey } from '../../../contract/schemas/did.ts';
import type { CopiedFile } from '../../../policy/policy.ts';
import { compilePath } from '../../../policy/template.ts';
import type { Rse } from '../../../store/entities/rse.ts';

import policy from '#policy';

/** Settings of an RSE that decide which paths copies get there. */
type CopyRse = Pick<Rse, 'attributes' | 'deterministic'>;

/** The conventions of the policy by name. */
const conventions: ReadonlyMap<string, (file: CopiedFile) => string> = new Map(
  Object.entries(policy.copyPaths).map(([name, rule]) => [name, compilePath(rule)]),
);

/** Rucio's convention, which RSEs must name: without it a mover chooses the paths and reports them. */
const rucioConvention = 'def';

/** The attribute of an RSE that names its convention. */
const conventionKey = 'naming_convention';

/** Whether copies get paths by a convention on a non-deterministic RSE. */
export function hasConvention(rse: CopyRse): boolean {
  return findConvention(rse) !== undefined;
}

/** The path of a copy on a non-deterministic RSE; undefined: a mover chooses it. */
export function findCopyPath(rse: CopyRse, { scope, name }: DidKey, dataset: string): string | undefined {
  try {
    // Names that begin with a slash make two of one, which object stores would count.
    return findConvention(rse)?.({ scope, name, dataset }).replaceAll(/\/{2,}/g, '/');
  } catch {
    // The convention has no path for this file.
    return undefined;
  }
}

function findConvention({ attributes, deterministic }: CopyRse) {
  if (deterministic) return undefined;
  const preset = policy.defaultCopyPath === rucioConvention ? undefined : policy.defaultCopyPath;
  const given = attributes[conventionKey] || preset;
  return given === undefined ? undefined : conventions.get(String(given));
}
