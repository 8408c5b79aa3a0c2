import { getLines, getPage, path } from '../api/client.ts';
import type { Did, UsageLine } from '../api/types.ts';
import { counted, humanBytes } from '../format.ts';
import { useDelayed, useLoad } from '../load.ts';
import { placeUrl } from '../router.ts';
import { Bar, Empty, ErrorNote } from '../ui/basics.tsx';
import { Bytes, RseLink } from '../ui/values.tsx';
import { isTooLarge, maxCountedFiles, type PresentFiles, usePresentFiles } from './present-files.ts';
import { type Quota, useQuota } from './quota.ts';

const typingMs = 300;
/** Each row asks for the space of its RSE. */
const shownRses = 25;

/** What a rule would mean now: its RSEs, the room on each, and what would really move. */
export function Meaning({
  expression,
  copies,
  did,
  account,
}: {
  expression: string;
  copies: number;
  did: Did | undefined;
  account: string;
}) {
  const settled = useDelayed(expression.trim(), typingMs);
  const { value, error } = useLoad(`rses ${settled}`, async (signal) =>
    settled === ''
      ? undefined
      : getPage<{ rse: string }>('/rses/', shownRses, undefined, { query: { expression: settled }, signal }),
  );
  const quota = useQuota(account);
  const present = usePresentFiles(did);
  if (settled === '') return <Empty>Write the name of an RSE, or attributes such as tier=1&country=CH.</Empty>;
  if (error !== undefined) return <ErrorNote error={error} />;
  if (value === undefined) return null;
  const rses = value.rows.map(({ rse }) => rse);
  const bytes = Number(did?.bytes ?? 0);
  return (
    <div class="paged" role="status">
      <p>
        It means{' '}
        <strong>{value.next === undefined ? counted(rses.length, 'RSE') : `more than ${shownRses} RSEs`}</strong> now.
        {rses.length < copies && ' That is fewer than the copies that you want.'}
      </p>
      {did !== undefined && copies >= 1 && (
        <ToMove did={did} copies={copies} rses={rses} present={value.next === undefined ? present : undefined} />
      )}
      <div class="table-frame">
        {/* Stacked rows are no table to a browser any more, so the roles are said. */}
        <table role="table" class="stacked">
          <caption class="visually-hidden">The RSEs of the expression</caption>
          <thead role="rowgroup">
            <tr role="row">
              {['RSE', 'Space', 'Files of the DID', `Quota of ${account}`].map((head) => (
                <th key={head} scope="col" role="columnheader">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rses.map((rse) => {
              const missing = bytes - (present?.get(rse)?.bytes ?? 0);
              return (
                <tr key={rse} role="row">
                  <td role="cell">
                    <RseLink rse={rse} />
                  </td>
                  <td role="cell" class="row-lead">
                    <FreeSpace rse={rse} needed={missing} />
                  </td>
                  <td role="cell" class="row-lead">
                    {did !== undefined && (
                      <AlreadyThere did={did} of={present?.get(rse)} isKnown={present !== undefined} />
                    )}
                  </td>
                  <td role="cell" class="row-lead">
                    <QuotaLeft of={quota?.get(rse)} needed={bytes} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** The bytes that would be copied; RSEs that have most of the files come first. */
function ToMove({
  did,
  copies,
  rses,
  present,
}: {
  did: Did;
  copies: number;
  rses: readonly string[];
  present: ReadonlyMap<string, PresentFiles> | undefined;
}) {
  const bytes = Number(did.bytes ?? 0);
  const all = (
    <>
      {counted(copies, 'copy')} {copies === 1 ? 'is' : 'are'} <Bytes of={bytes * copies} />
    </>
  );
  if (present === undefined) {
    return (
      <p>
        {all}.
        {isTooLarge(did) && (
          <>
            {' '}
            What is there already is counted for up to {maxCountedFiles} files only: see{' '}
            <a href={placeUrl(['did', did.scope, did.name], { tab: 'replicas' })}>where its files are</a>.
          </>
        )}
      </p>
    );
  }
  const missing = rses.map((rse) => bytes - (present.get(rse)?.bytes ?? 0)).toSorted((a, b) => a - b);
  const least = sum(missing.slice(0, copies));
  const most = sum(missing.slice(-copies));
  if (least === bytes * copies) return <p>{all}, all of which would be copied.</p>;
  return (
    <p>
      {all}, of which{' '}
      <strong>
        {least === most
          ? humanBytes(most)
          : did.type === 'CONTAINER'
            ? `up to ${humanBytes(most)}`
            : `${humanBytes(least)} to ${humanBytes(most)}`}
      </strong>{' '}
      would be copied; the rest is there already.
    </p>
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function AlreadyThere({ did, of: present, isKnown }: { did: Did; of: PresentFiles | undefined; isKnown: boolean }) {
  if (!isKnown) return <span class="absent">{isTooLarge(did) ? 'not counted' : '…'}</span>;
  if (present === undefined || present.files === 0) return <>none there</>;
  const files = did.type === 'FILE' ? 1 : Number(did.length ?? 0);
  const words = present.files === files ? 'all there' : `${present.files} of ${counted(files, 'file')} there`;
  return (
    <>
      {words}, <Bytes of={present.bytes} />
    </>
  );
}

/** The room of an RSE, as its storage reports. */
function FreeSpace({ rse, needed }: { rse: string; needed: number }) {
  const target = path`/rses/${rse}/usage`;
  const { value } = useLoad(target, (signal) => getLines<UsageLine>(target, { signal }));
  if (value === undefined) return <span class="absent">…</span>;
  const reported = value.find(({ source, free }) => source !== 'rucio' && free !== null);
  if (reported === undefined) return <span class="absent">free space not reported</span>;
  const free = Number(reported.free);
  return (
    <div class="barred">
      <span>
        <Bytes of={free} /> free
        {free < needed && ', too little'}
      </span>
      <Bar
        share={Number(reported.used ?? 0) / Number(reported.total)}
        tone={free < needed ? 'bad' : 'plain'}
        label={`${humanBytes(reported.used ?? 0)} of ${humanBytes(reported.total)} used`}
      />
    </div>
  );
}

/** What is left of a quota. A rule is charged for files that are there already, too. */
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
