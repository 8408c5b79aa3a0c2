import { useState } from 'preact/hooks';

import { getLines, getPage, path } from '../../api/client.ts';
import { counted } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { go, placeUrl } from '../../router.ts';
import { Pending, Section } from '../../ui/basics.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Quota } from '../../ui/quota.tsx';
import { type Column, RowsTable, type Sort, sortRows } from '../../ui/rows-table.tsx';
import { TableExport } from '../../ui/table-export.tsx';
import { AccountLink, Count } from '../../ui/values.tsx';

/** Accounts that are added up: each asks for its usage, and for its attributes if they are grouped. */
const maxAccounts = 200;
const parallel = 6;
const rowsAsked = 1_000;

interface Space {
  /** An account, or the value of the attribute. */
  readonly name: string;
  readonly accounts: number;
  readonly bytes: number;
  readonly files: number;
  /** The quota on single RSEs; infinite if one is unlimited. */
  readonly limit: number;
}

/** The space that accounts use on all RSEs together, or that groups of them use by the value of an attribute. */
export function SpaceByAccount({ by }: { by: string }) {
  const { value, error, reload } = useLoad(`space by ${by}`, (signal) => readSpaces(by, signal));
  const [sort, setSort] = useState<Sort | undefined>({ head: 'Used', isDown: true });
  const columns: readonly Column<Space>[] = [
    {
      head: by === '' ? 'Account' : by,
      cell: ({ name }) =>
        by === '' ? (
          <AccountLink account={name} />
        ) : name === '' ? (
          <span class="absent">without it</span>
        ) : (
          <bdi class="name">{name}</bdi>
        ),
      lead: true,
      sortBy: ({ name }) => name,
    },
    ...(by === ''
      ? []
      : [
          {
            head: 'Accounts',
            cell: ({ accounts }: Space) => <Count of={accounts} />,
            number: true as const,
            sortBy: ({ accounts }: Space) => accounts,
          },
        ]),
    {
      head: 'Used',
      cell: ({ bytes, limit }) => <Quota of={{ bytes, bytes_limit: limit }} />,
      sortBy: ({ bytes }) => bytes,
    },
    { head: 'Files', cell: ({ files }) => <Count of={files} />, number: true, sortBy: ({ files }) => files },
  ];
  const spaces = value?.spaces ?? [];
  const rows = sort === undefined ? spaces : sortRows(spaces, columns, sort);
  return (
    <Section heading="Space">
      <form class="form-row" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label="Group by the attribute"
          class="name"
          placeholder="none"
          spellcheck={false}
          value={by}
          onChange={(next) => go(placeUrl(['accounts'], { tab: 'space', by: next }), { replace: true })}
          hint="Such as experiment or group: what the accounts of your catalogue have."
        />
      </form>
      <Pending of={{ value, error, reload }} />
      {value !== undefined && (
        <>
          {value.isPart && <p class="hint">Of the first {counted(maxAccounts, 'account')}.</p>}
          <RowsTable
            caption="Used space and quota"
            columns={columns}
            pages={[{ index: 0, rows }]}
            sort={sort}
            onSort={setSort}
          />
          <div class="table-foot">
            <p class="paged-place">{counted(rows.length, 'row')}</p>
            <TableExport name="space" load={() => Promise.resolve({ rows, next: undefined })} />
          </div>
        </>
      )}
    </Section>
  );
}

async function readSpaces(by: string, signal: AbortSignal) {
  const { rows, next } = await getPage('/accounts', maxAccounts, undefined, { signal });
  const spaces: Space[] = [];
  const waiting = rows.values();
  const work = async () => {
    for (const { account } of waiting) spaces.push(await readSpace(account, by, signal));
  };
  await Promise.all(Array.from({ length: parallel }, work));
  if (by === '') return { spaces, isPart: next !== undefined };
  const grouped = [...Map.groupBy(spaces, ({ name }) => name)].map(([name, of]) => ({
    name,
    accounts: of.length,
    bytes: sum(of.map(({ bytes }) => bytes)),
    files: sum(of.map(({ files }) => files)),
    limit: sum(of.map(({ limit }) => limit)),
  }));
  return { spaces: grouped, isPart: next !== undefined };
}

async function readSpace(account: string, by: string, signal: AbortSignal): Promise<Space> {
  const [usage, attributes] = await Promise.all([
    getPage(path('/accounts/:account/usage/local', { account }), rowsAsked, undefined, { signal }),
    by === '' ? [] : getLines(path('/accounts/:account/attr', { account }), { query: { limit: rowsAsked }, signal }),
  ]);
  const value = attributes.find(({ key }) => key === by)?.value;
  return {
    name: by === '' ? account : String(value ?? ''),
    accounts: 1,
    bytes: sum(usage.rows.map(({ bytes }) => Number(bytes))),
    files: sum(usage.rows.map(({ files }) => Number(files))),
    limit: sum(usage.rows.map(({ bytes_limit: limit }) => (Number(limit) < 0 ? Infinity : Number(limit)))),
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
