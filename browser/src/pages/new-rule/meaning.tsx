import { getLines, path } from '../../api/client.ts';
import type { Did } from '../../api/types.ts';
import { counted, humanBytes } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Bar } from '../../ui/basics.tsx';
import { Bytes, RseLink } from '../../ui/values.tsx';
import { UnservedNote } from '../requests/mover-note.tsx';
import { areEnough, type MatchingRses, shownRses } from './matching-rses.ts';
import { isTooLarge, maxCountedFiles, type PresentFiles, usePresentFiles } from './present-files.ts';
import { type Quota, useQuota } from './quota.ts';

/** Effect of a rule if it were made now: its RSEs, the room on each, and the data to copy. */
export function Meaning({
  matching,
  copies,
  did,
  account,
}: {
  matching: MatchingRses;
  copies: number;
  did: Did | undefined;
  account: string;
}) {
  const { names: rses, hasMore } = matching;
  const quota = useQuota(account);
  const present = usePresentFiles(did);
  const bytes = Number(did?.bytes ?? 0);
  const isMissing = (rse: string) => present === undefined || (present.get(rse)?.bytes ?? 0) < bytes;
  return (
    <div class="paged" role="status">
      <p>
        It means <strong>{hasMore ? `more than ${shownRses} RSEs` : counted(rses.length, 'RSE')}</strong> now.
      </p>
      {!areEnough(matching, copies) && (
        <p class="note" data-tone="waiting">
          {rses.length === 1 ? 'That is' : 'Those are'} fewer than the {counted(copies, 'copy')} that you want, so the
          rule would be refused (<code>InsufficientTargetRSEs</code>). Widen the expression, or ask for fewer copies.
        </p>
      )}
      {did !== undefined && copies >= 1 && areEnough(matching, copies) && (
        <ToMove did={did} copies={copies} rses={rses} present={hasMore ? undefined : present} />
      )}
      {did !== undefined && <UnservedNote rses={rses.filter(isMissing)} />}
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
  const target = path('/rses/:rse/usage', { rse });
  const { value } = useLoad(target, (signal) => getLines(target, { signal }));
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

/** Remainder of a quota. A rule is charged for files that are there already, too. */
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
