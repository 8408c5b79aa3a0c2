import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { getLines, getPage, path, pickRows, type Query } from '../../api/client.ts';
import type { RowAt, Target } from '../../api/contract.ts';
import type { Explanation, FoundDid } from '../../api/types.ts';
import { counted, shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { type Column, PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { isFoundDid, typeNames } from './columns.tsx';
import { FoundTable } from './found-table.tsx';
import { WhyNothing } from './nothing.tsx';
import { type Condition, hasOr, toQuery, toRucioFilter, writeCondition } from './query.ts';

/** Results of a search, or the reason why there are none. */
export function Results({
  scope,
  name,
  type,
  conditions,
}: {
  scope: string;
  name: string;
  type: string;
  conditions: readonly Condition[];
}) {
  const filters = toQuery(conditions.filter(({ value }) => value !== ''));
  const queryOf = (pattern: string): Query => ({ ...(pattern === '*' ? {} : { name: pattern }), type, ...filters });
  const target = path('/dids/:scope/dids/search', { scope });
  const query = queryOf(name);
  const filterText = toRucioFilter([
    ...(type === 'collection' ? [] : [`type=${type}`]),
    ...conditions.map(writeCondition),
  ]);
  const tableOf = (pattern: string, empty: ComponentChildren) => (
    <FoundTable key={JSON.stringify([scope, queryOf(pattern)])}>
      {(columns) => listOf(pattern, columns, empty)}
    </FoundTable>
  );
  const listOf = (pattern: string, columns: readonly Column<FoundDid>[], empty: ComponentChildren) => (
    <PagedTable
      caption="The DIDs that were found"
      listKey={JSON.stringify([scope, queryOf(pattern)])}
      load={async (cursor, limit, signal) =>
        pickRows(
          await getPage(target, limit, cursor, { query: { ...queryOf(pattern), long: true }, signal }),
          isFoundDid,
        )
      }
      columns={columns}
      empty={empty}
    />
  );
  const why = (
    <WhyNothing scope={scope} conditions={conditions}>
      Names are case-sensitive, <code>*</code> stands for any text, and this looks for{' '}
      {typeNames.find(([id]) => id === type)?.[1].toLowerCase()} only.
    </WhyNothing>
  );
  const [, word = ''] = /^([^*%]+)\*$/.exec(name) ?? [];
  return (
    <Section heading="Found" aside={<Explain key={JSON.stringify([scope, query])} target={target} query={query} />}>
      {[name, ...conditions.map(({ value }) => value)].some(hasOr) && (
        <p class="note" data-tone="waiting" role="status">
          A search does not understand <code>or</code>, only <code>and</code>: search once for each instead.
        </p>
      )}
      {tableOf(
        name,
        word === '' ? (
          why
        ) : (
          <>
            <p>
              No name begins with <bdi class="name">{word}</bdi>. These have it anywhere:
            </p>
            {tableOf(`*${word}*`, why)}
          </>
        ),
      )}
      <SameAs
        rucio={`rucio did list ${shellWord(`${scope}:${name}`)}${filterText}`}
        curl={{ path: target, query: { ...query, long: true, limit: 100 } }}
      />
    </Section>
  );
}

type SearchTarget = Target<'/dids/:scope/dids/search'>;
type SearchRow = RowAt<SearchTarget>;

const isExplanation = (row: SearchRow): row is Explanation => typeof row === 'object' && 'plan' in row;

/** How a search is carried out. It is asked for, since it reads the table once more. */
function Explain({ target, query }: { target: SearchTarget; query: Query }) {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <button type="button" class="quiet" onClick={() => setAsked(true)}>
        What does it read?
      </button>
    );
  }
  return <Explained target={target} query={query} />;
}

const explainRows = 100;

function Explained({ target, query }: { target: SearchTarget; query: Query }) {
  const { value, error } = useLoad(JSON.stringify(query), async (signal) => {
    const rows = await getLines(target, { query: { ...query, limit: explainRows, explain: true }, signal });
    return rows.find(isExplanation);
  });
  if (error !== undefined) return <ErrorNote error={error} />;
  if (value === undefined) return null;
  const ways = value.plan.map(describeSource).join('; then ');
  const units = `${value.read.rru} read ${value.read.rru === 1 ? 'unit' : 'units'}`;
  return (
    <p class="explained" role="status">
      {counted(value.rows, 'row')}
      {value.rows === explainRows ? ' (the first page)' : ''} for {units} in {counted(value.read.requests, 'request')},{' '}
      {ways}
    </p>
  );
}

function describeSource({ source, keys, name, prefix }: Explanation['plan'][number]): string {
  switch (source) {
    case 'did':
      return `of one DID, ${name ?? ''}`;
    case 'index':
      return `from the index of ${keys?.join(' and ') ?? 'metadata'}`;
    case 'nothing':
      return 'of nothing: no DID can fit';
    case 'collections':
    case 'scope':
      return `${source === 'scope' ? 'from the whole scope' : 'from the collections of the scope'}${prefix ? ` that begin with ${prefix}` : ''}`;
  }
}
