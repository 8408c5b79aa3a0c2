import { getPage, path } from '../../api/client.ts';
import type { Did, Rule } from '../../api/types.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Pending, Section } from '../../ui/basics.tsx';
import { RowsTable } from '../../ui/rows-table.tsx';
import { ruleColumns } from '../../ui/rule-table.tsx';

/** Collections above a DID that are looked at, and rules of each. */
const maxParents = 20;
const rulesOfParent = 20;

/** The rules of the collections that hold a DID, directly or not: they keep its files too. Nothing where no collection does. */
export function InheritedRules({ did: { scope, name } }: { did: Did }) {
  const { value, error, reload } = useLoad(`inherited ${scope}:${name}`, (signal) =>
    readInherited({ scope, name }, signal),
  );
  if (value?.parents === 0) return null;
  return (
    <Section
      heading="Rules of its parents, which keep its files too"
      aside={<a href={placeUrl(['did', scope, name], { tab: 'activity' })}>Its parents</a>}
    >
      <Pending of={{ value, error, reload }} />
      {value?.rules.length === 0 && <p class="absent">Its parents have no rule.</p>}
      {value !== undefined && value.rules.length > 0 && (
        <RowsTable
          caption="Rules of the parents of this DID"
          columns={ruleColumns}
          pages={[{ index: 0, rows: value.rules }]}
        />
      )}
      {value?.isPart === true && (
        <p class="hint">There are others: it has many parents, or one of them has many rules.</p>
      )}
    </Section>
  );
}

interface Key {
  readonly scope: string;
  readonly name: string;
}

/** Goes up level by level, as far as it may. */
async function readInherited(did: Key, signal: AbortSignal) {
  const seen = new Map<string, Key>();
  let isPart = false;
  for (let level: readonly Key[] = [did]; level.length > 0 && !isPart;) {
    const pages = await Promise.all(
      level.map((one) => getPage(path('/dids/**:scope_name/parents', { did: one }), maxParents, undefined, { signal })),
    );
    const parents = pages.flatMap(({ rows }) => rows).map((row): Key => ({ scope: row.scope, name: row.name }));
    const fresh = new Map(
      parents.map((key) => [`${key.scope}:${key.name}`, key] as const).filter(([id]) => !seen.has(id)),
    );
    isPart = pages.some(({ next }) => next !== undefined) || seen.size + fresh.size > maxParents;
    level = [...fresh.values()].slice(0, maxParents - seen.size);
    for (const key of level) seen.set(`${key.scope}:${key.name}`, key);
  }
  const lists = await Promise.all(
    [...seen.values()].map((parent) =>
      getPage(path('/dids/**:scope_name/rules', { did: parent }), rulesOfParent, undefined, { signal }),
    ),
  );
  const rules: readonly Rule[] = lists.flatMap(({ rows }) => rows);
  return { parents: seen.size, rules, isPart: isPart || lists.some(({ next }) => next !== undefined) };
}
