import { useState } from 'preact/hooks';

import { getJson, getPage, path } from '../../api/client.ts';
import type { ContentLine, Did } from '../../api/types.ts';
import { shellWord } from '../../format.ts';
import { useAction, useLoad } from '../../load.ts';
import { Empty, Pending, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PagedTable, type Column } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Bytes, Count, DidLink, TypeMark } from '../../ui/values.tsx';

const columns: readonly Column<ContentLine>[] = [
  {
    head: 'Name',
    cell: ({ scope, name }) => <DidLink scope={scope} name={name} />,
    lead: true,
    fill: true,
    sortBy: ({ name }) => name,
  },
  { head: 'Size', cell: ({ bytes }) => <Bytes of={bytes} />, number: true, sortBy: ({ bytes }) => bytes },
  { head: 'Adler-32', cell: ({ adler32 }) => <code>{adler32 ?? ''}</code>, wide: true, tight: true },
];

/** Content of a collection: files as a list, collections as a tree. */
export function DidContent({ did }: { did: Did }) {
  const { scope, name } = did;
  const target = path('/dids/**:scope_name/dids', { did: { scope, name } });
  return (
    <Section heading={did.type === 'DATASET' ? 'Files' : 'Content'}>
      {did.type === 'DATASET' ? (
        <PagedTable
          caption="Files of the dataset"
          listKey={target}
          load={(cursor, limit, signal) => getPage(target, limit, cursor, { signal })}
          columns={columns}
          empty="No file is attached."
        />
      ) : (
        <div class="tree">
          <Branch scope={scope} name={name} />
        </div>
      )}
      <SameAs rucio={`rucio did content list ${shellWord(`${scope}:${name}`)}`} curl={{ path: target }} />
    </Section>
  );
}

const branchRows = 50;

/** One level of the tree; its parts are read when it opens, and more of them when asked for. */
function Branch({ scope, name }: { scope: string; name: string }) {
  const target = path('/dids/**:scope_name/dids', { did: { scope, name } });
  const first = useLoad(target, (signal) => getPage(target, branchRows, undefined, { signal }));
  const [more, setMore] = useState<{ rows: readonly ContentLine[]; next: string | undefined }>();
  const { error, run } = useAction();
  if (first.value === undefined) return <Pending of={first} />;
  const next = more === undefined ? first.value.next : more.next;
  const rows = [...first.value.rows, ...(more?.rows ?? [])];
  const loadMore = () =>
    run(async () => {
      const page = await getPage(target, branchRows, next);
      setMore({ rows: [...(more?.rows ?? []), ...page.rows], next: page.next });
    });
  if (rows.length === 0) return <Empty>Nothing is attached.</Empty>;
  return (
    <ul>
      {rows.map((row) => (
        <Leaf key={`${row.scope}:${row.name}`} of={row} parent={{ scope, name }} />
      ))}
      {error !== undefined && <ErrorNote error={error} />}
      {next !== undefined && (
        <li>
          <button type="button" class="quiet" onClick={() => void loadMore()}>
            Show {branchRows} more
          </button>
        </li>
      )}
    </ul>
  );
}

function Leaf({ of: row, parent }: { of: ContentLine; parent: { scope: string; name: string } }) {
  const [open, setOpen] = useState(false);
  const isFile = row.type === 'FILE';
  return (
    <li>
      <div class="tree-row">
        {isFile ? (
          <span class="twist none" />
        ) : (
          <button
            type="button"
            class="twist"
            aria-expanded={open}
            aria-label={`Content of ${row.name}`}
            onClick={() => setOpen(!open)}
          >
            <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
              <path d="m5 2 6 6-6 6" />
            </svg>
          </button>
        )}
        <TypeMark of={row.type} />
        <DidLink scope={row.scope} name={row.name} withScope={row.scope !== parent.scope} />
        <span class="push">{isFile ? <Bytes of={row.bytes} /> : <Sums of={row} />}</span>
      </div>
      {open && <Branch scope={row.scope} name={row.name} />}
    </li>
  );
}

/** Files and bytes of a collection, and that it is closed. */
function Sums({ of: { scope, name } }: { of: ContentLine }) {
  const target = path('/dids/**:scope_name', { did: { scope, name } });
  const { value } = useLoad(target, (signal) => getJson(target, { signal }));
  if (value === undefined) return <>…</>;
  return (
    <span class="sums">
      {!value.open && <span class="absent">closed</span>}
      <Count of={value.length} noun="file" />
      <Bytes of={value.bytes} />
    </span>
  );
}
