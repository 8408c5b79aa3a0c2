import type { ComponentChildren } from 'preact';

import { getJson, getLines, path } from '../api/client.ts';
import { useLoad } from '../load.ts';
import { commonKeys, type Condition, findUnknownUnit } from './search-query.ts';

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
  const units = conditions.map(findUnknownUnit);
  // A key whose value cannot be read is not blamed.
  const keys = [...new Set(conditions.filter((_one, i) => units[i] === undefined).map(({ key }) => key))].filter(
    (key) => key !== '' && !shorthands.has(key),
  );
  const { value } = useLoad(JSON.stringify(['nothing', scope, keys]), (signal) => findReasons(scope, keys, signal));
  return (
    <>
      <p>{value?.isEmpty === true ? `There is no DID in the scope ${scope}.` : 'Nothing in this scope fits.'}</p>
      {units
        .filter((unit) => unit !== undefined)
        .map((unit) => (
          <p key={unit}>
            The unit <bdi class="name">{unit}</bdi> is not known. Sizes have B, kB, MB, GB, TB, PB or EB, or KiB, MiB,
            GiB and so on; numbers of files have k, M or G.
          </p>
        ))}
      {value?.unknown.map((key) => (
        <p key={key}>
          No DID in this scope has the key <bdi class="name">{key}</bdi>.<Likely of={key} />
        </p>
      ))}
      <p>{children}</p>
    </>
  );
}

/** A common key that is written almost like an unknown one. */
function Likely({ of: key }: { of: string }) {
  const likely = key === 'size' ? 'bytes' : commonKeys.find((one) => squash(one) === squash(key));
  return likely === undefined ? null : (
    <>
      {' '}
      Is it <code>{likely}</code>?
    </>
  );
}

const squash = (key: string) => key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

interface Reasons {
  readonly isEmpty: boolean;
  /** Keys that are neither a column nor in the free metadata of any DID of the scope. */
  readonly unknown: readonly string[];
}

/** The columns are those of any DID. Whether one has a free key is asked by a value that none has. */
async function findReasons(scope: string, keys: readonly string[], signal: AbortSignal): Promise<Reasons> {
  const search = (query: object) =>
    getLines<string>(path`/dids/${scope}/dids/search`, { query: { ...query, type: 'all', limit: 1 }, signal });
  const [name] = await search({});
  if (name === undefined) return { isEmpty: true, unknown: [] };
  if (keys.length === 0) return { isEmpty: false, unknown: [] };
  const columns = await getJson<object>(path`/dids/${scope}/${name}/meta`, { signal });
  const free = keys.filter((key) => !Object.hasOwn(columns, key));
  const found = await Promise.all(free.map((key) => search({ [`${key}.ne`]: '~' })));
  return { isEmpty: false, unknown: free.filter((_key, i) => found[i]?.length === 0) };
}
