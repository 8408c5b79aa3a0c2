import type { ComponentChildren } from 'preact';

import { getJson, getLines, path } from '../../api/client.ts';
import { useLoad } from '../../load.ts';
import { commonKeys, type Condition, findSizeMistake, hasOr, isOneEditAway } from './query.ts';

/** Keys of a search that are no columns of a DID, and known all the same. */
const shorthands: ReadonlySet<string> = new Set(['name', 'created_after', 'created_before']);

/** A search has found nothing: because the scope is empty, or lacks a key altogether, or for what `children` say. */
export function WhyNothing({
  scope,
  conditions,
  children,
}: {
  scope: string;
  conditions: readonly Condition[];
  children: ComponentChildren;
}) {
  // A key whose value is not understood is not blamed.
  const keys = [...new Set(conditions.filter(({ value }) => !hasOr(value)).map(({ key }) => key))].filter(
    (key) => key !== '' && !shorthands.has(key),
  );
  const { value } = useLoad(JSON.stringify(['nothing', scope, keys]), (signal) => findReasons(scope, keys, signal));
  return (
    <>
      <p>{value?.isEmpty === true ? `There is no DID in the scope ${scope}.` : 'Nothing in this scope fits.'}</p>
      {value?.unknown.map((key) => (
        <UnknownKey key={key} of={key} columns={value.columns} conditions={conditions} />
      ))}
      <p>{children}</p>
    </>
  );
}

/** Explains a key that no DID has: it is misspelt, or a size that cannot be read. */
function UnknownKey({
  of: key,
  columns,
  conditions,
}: {
  of: string;
  columns: readonly string[];
  conditions: readonly Condition[];
}) {
  const mistaken = conditions.find((condition) => condition.key === key && findSizeMistake(condition) !== undefined);
  if (mistaken !== undefined) return <MistakenSize of={mistaken} />;
  const likely = findLikely(key, [...commonKeys, ...columns]);
  return (
    <p>
      No DID in this scope has the key <bdi class="name">{key}</bdi>.
      {likely !== undefined && (
        <>
          {' '}
          Is it <code>{likely}</code>?
        </>
      )}
    </p>
  );
}

function MistakenSize({ of: condition }: { of: Condition }) {
  const { value } = condition;
  switch (findSizeMistake(condition)) {
    case 'no unit':
      return (
        <p>
          The size <bdi class="name">{value}</bdi> has no unit: add a unit, such as GB.
        </p>
      );
    case 'unknown unit':
      return (
        <p>
          The unit <bdi class="name">{/[a-z]+$/i.exec(value)?.[0]}</bdi> is not known. {unitsHint}
        </p>
      );
    default:
      return (
        <p>
          <bdi class="name">{value}</bdi> is no size. A size is a number with a unit, such as 40 GB. {unitsHint}
        </p>
      );
  }
}

const unitsHint = 'Sizes have B, kB, MB, GB, TB, PB or EB, or KiB, MiB, GiB and so on.';

/** A known key that is written almost like an unknown one. */
function findLikely(key: string, known: readonly string[]): string | undefined {
  if (key === 'size') return 'bytes';
  return known.find((one) => squash(one) === squash(key)) ?? known.find((one) => isOneEditAway(one, key));
}

const squash = (key: string) => key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

interface Reasons {
  readonly isEmpty: boolean;
  /** Keys that are neither a column nor in the free metadata of any DID of the scope. */
  readonly unknown: readonly string[];
  /** The columns of a DID. */
  readonly columns: readonly string[];
}

/** The columns are those of any DID. Whether one has a free key is asked by a value that none has. */
async function findReasons(scope: string, keys: readonly string[], signal: AbortSignal): Promise<Reasons> {
  const search = (query: object) =>
    getLines(path('/dids/:scope/dids/search', { scope }), { query: { ...query, type: 'all', limit: 1 }, signal });
  const [name] = await search({});
  if (typeof name !== 'string') return { isEmpty: true, unknown: [], columns: [] };
  if (keys.length === 0) return { isEmpty: false, unknown: [], columns: [] };
  const columns = await getJson(path('/dids/**:scope_name/meta', { did: { scope, name } }), { signal });
  const free = keys.filter((key) => !Object.hasOwn(columns, key));
  const found = await Promise.all(free.map((key) => search({ [`${key}.ne`]: '~' })));
  const unknown = free.filter((_key, i) => found[i]?.length === 0);
  return { isEmpty: false, unknown, columns: Object.keys(columns) };
}
