import { useState } from 'preact/hooks';

import { getJson, path } from '../../api/client.ts';
import type { Did } from '../../api/types.ts';
import { counted, exactInteger, humanBytes } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { Bar } from '../../ui/basics.tsx';
import { type Column, RowsTable, type Sort, sortRows } from '../../ui/rows-table.tsx';
import { readSpace, type RseSpace } from '../../ui/rse-space.ts';
import { Bytes, RseLink, State } from '../../ui/values.tsx';
import { isTooLarge, type PresentFiles } from './present-files.ts';
import type { Quota } from './quota.ts';

/** An RSE where a rule may put a copy. */
interface Candidate {
  readonly rse: string;
  /** Undefined while it is loading, or where it may not be read. */
  readonly space: RseSpace | undefined;
  readonly present: PresentFiles | undefined;
  readonly quota: Quota | undefined;
  /** Bytes that would be copied there. */
  readonly missing: number;
  /** Whether it can take a copy now, or why not; undefined while that is not known. */
  readonly verdict: string | undefined;
}

const fits = 'fits';

/** RSEs to tick, those first that can take a copy now. */
export function Candidates({
  rses,
  did,
  account,
  copies,
  present,
  quotas,
  picked,
  isPart,
  onPick,
}: {
  rses: readonly string[];
  did: Did | undefined;
  account: string;
  copies: number;
  present: ReadonlyMap<string, PresentFiles> | undefined;
  quotas: ReadonlyMap<string, Quota> | undefined;
  /** The RSEs that are ticked. */
  picked: readonly string[];
  /** The expression means other RSEs too. */
  isPart: boolean;
  onPick: (picked: readonly string[]) => void;
}) {
  const [sort, setSort] = useState<Sort>();
  const known = useLoad(`candidates ${rses.join(' ')}`, (signal) => readRooms(rses, signal)).value;
  const bytes = Number(did?.bytes ?? 0);
  const candidates = rses.map((rse): Candidate => {
    const room = known?.get(rse);
    const quota = quotas?.get(rse);
    const missing = bytes - (present?.get(rse)?.bytes ?? 0);
    const isKnown = known !== undefined && quotas !== undefined;
    const verdict = isKnown ? judge({ ...room, quota, missing, bytes }) : undefined;
    return { rse, space: room?.space, present: present?.get(rse), quota, missing, verdict };
  });
  const fitting = candidates.filter(({ verdict }) => verdict === fits).length;
  const isJudged = candidates.every(({ verdict }) => verdict !== undefined);
  const rows = sort === undefined ? candidates.toSorted(byVerdict) : sortRows(candidates, makeColumns(), sort);
  function makeColumns(): readonly Column<Candidate>[] {
    return [
      {
        head: 'Use',
        tight: true,
        cell: ({ rse }) => (
          <input
            type="checkbox"
            aria-label={`Use ${rse}`}
            checked={picked.includes(rse)}
            onChange={() => onPick(picked.includes(rse) ? picked.filter((one) => one !== rse) : [...picked, rse])}
          />
        ),
      },
      { head: 'RSE', sortBy: ({ rse }) => rse, cell: ({ rse }) => <RseLink rse={rse} /> },
      {
        head: 'Verdict',
        tight: true,
        sortBy: ({ verdict }) => verdict,
        cell: ({ verdict }) =>
          verdict === undefined ? '…' : <State of={verdict === fits ? 'OK' : 'UNAVAILABLE'} label={verdict} />,
      },
      {
        head: 'Space',
        lead: true,
        sortBy: ({ space }) => space?.free,
        cell: ({ space, missing }) => <FreeSpace of={space} isKnown={known !== undefined} needed={missing} />,
      },
      {
        head: 'Files of the DID',
        lead: true,
        sortBy: (row) => row.present?.files,
        cell: (row) => did !== undefined && <AlreadyThere did={did} of={row.present} isKnown={present !== undefined} />,
      },
      {
        head: `Quota of ${account}`,
        lead: true,
        sortBy: ({ quota }) => quota && quota.limit - quota.used,
        cell: ({ quota }) => <QuotaLeft of={quota} needed={bytes} />,
      },
    ];
  }
  return (
    <>
      {did !== undefined && isJudged && (
        <p role="status">
          <strong>
            {exactInteger(fitting)} of {exactInteger(rses.length)}
          </strong>{' '}
          can take a copy now. Tick RSEs to name only these in the rule.
        </p>
      )}
      {did !== undefined && isJudged && fitting < copies && !isPart && (
        <p class="note" data-tone="waiting">
          That is fewer than the {counted(copies, 'copy')} that you want: without quota the rule is refused, without
          space or leave to write it waits.
        </p>
      )}
      <RowsTable
        caption="The RSEs of the expression"
        columns={makeColumns()}
        pages={[{ index: 0, rows }]}
        sort={sort}
        onSort={setSort}
      />
    </>
  );
}

interface Room {
  readonly space: RseSpace | undefined;
  readonly isWritable: boolean;
}

/** Reads the space of RSEs, and whether they can be written: two requests for each. What cannot be read is left out. */
async function readRooms(rses: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Room>> {
  const rooms = rses.map(async (rse): Promise<readonly [string, Room]> => {
    const [space, settings] = await Promise.allSettled([
      readSpace(rse, signal),
      getJson(path('/rses/:rse', { rse }), { signal }),
    ]);
    return [
      rse,
      {
        space: space.status === 'fulfilled' ? space.value : undefined,
        isWritable: settings.status === 'rejected' || settings.value.availability_write,
      },
    ];
  });
  return new Map(await Promise.all(rooms));
}

/** Whether an RSE can take a copy, or the first reason why not. A rule is charged for files that are there already, too. */
function judge({
  isWritable,
  space,
  quota,
  missing,
  bytes,
}: Partial<Room> & { quota: Quota | undefined; missing: number; bytes: number }): string {
  if (isWritable === false) return 'not writable';
  if (quota === undefined) return 'no quota';
  if (quota.limit - quota.used < bytes) return 'too little quota';
  return (space?.free ?? Infinity) < missing ? 'too little space' : fits;
}

/** Those that fit first; of these the one with the least to copy, then the one with the most space. */
function byVerdict(a: Candidate, b: Candidate): number {
  return (
    Number(b.verdict === fits) - Number(a.verdict === fits) ||
    a.missing - b.missing ||
    (b.space?.free ?? 0) - (a.space?.free ?? 0)
  );
}

function AlreadyThere({ did, of: present, isKnown }: { did: Did; of: PresentFiles | undefined; isKnown: boolean }) {
  if (!isKnown) return <span class="absent">{isTooLarge(did) ? 'not counted' : '…'}</span>;
  if (present === undefined || present.files === 0) return <>none there</>;
  const files = did.type === 'FILE' ? 1 : Number(did.length ?? 0);
  const words =
    present.files === files ? 'all there' : `${exactInteger(present.files)} of ${counted(files, 'file')} there`;
  return (
    <>
      {words}, <Bytes of={present.bytes} />
    </>
  );
}

/** The room of an RSE, as its storage reports. */
function FreeSpace({ of: space, isKnown, needed }: { of: RseSpace | undefined; isKnown: boolean; needed: number }) {
  if (!isKnown) return <span class="absent">…</span>;
  if (space?.free === undefined || space.total === undefined)
    return <span class="absent">free space not reported</span>;
  return (
    <div class="barred">
      <span>
        <Bytes of={space.free} /> free
        {space.free < needed && ', too little'}
      </span>
      <Bar
        share={space.used / space.total}
        tone={space.free < needed ? 'bad' : 'plain'}
        label={`${humanBytes(space.used)} of ${humanBytes(space.total)} used`}
      />
    </div>
  );
}

/** Remainder of a quota. */
function QuotaLeft({ of: quota, needed }: { of: Quota | undefined; needed: number }) {
  if (quota === undefined) return <span class="absent">no quota</span>;
  if (quota.limit === Infinity) return <>unlimited quota</>;
  const left = quota.limit - quota.used;
  return (
    <div class="barred">
      <span>
        {humanBytes(left)} left of {humanBytes(quota.limit)} quota
        {left < needed && ', too little'}
      </span>
      <Bar
        share={quota.used / quota.limit}
        tone={left < needed ? 'bad' : 'plain'}
        label={`${humanBytes(quota.used)} of ${humanBytes(quota.limit)} used`}
      />
    </div>
  );
}
