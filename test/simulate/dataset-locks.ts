import type { Values } from './records.ts';
import type { Row } from './rows.ts';

/** Dataset locks whose rule is gone, or whose dataset is not below the DID of the rule. */
export function findOrphanedDatasetLocks(items: readonly Values[], rules: readonly Row[]): string[] {
  const children = new Map<string, string[]>();
  const locks: { readonly dataset: string; readonly ruleId: string }[] = [];
  for (const { PK, SK } of items) {
    const [kind, ...holder] = (PK?.S ?? '').split('#');
    const [prefix, first = '', second = ''] = (SK?.S ?? '').split('#');
    if (kind !== 'D') continue;
    const name = holder.join(':');
    if (prefix === 'CHILD') children.set(name, [...(children.get(name) ?? []), `${second}:${first}`]);
    if (prefix === 'LOCK') locks.push({ dataset: name, ruleId: first });
  }
  const content = new Map(
    rules.map(({ id, scope, name }) => [String(id), listBelow(`${String(scope)}:${String(name)}`, children)]),
  );
  return locks.flatMap(({ dataset, ruleId }) => {
    const below = content.get(ruleId);
    if (below === undefined) return [`${dataset} has a lock of the rule ${ruleId}, which is gone`];
    return below.has(dataset) ? [] : [`${dataset} has a lock of the rule ${ruleId}, and is not below its DID`];
  });
}

/** A DID and all below it. */
function listBelow(did: string, children: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set([did]);
  for (const one of found) for (const child of children.get(one) ?? []) found.add(child);
  return found;
}
