import type { Did } from '../../api/types.ts';
import { counted, humanBytes } from '../../format.ts';
import { placeUrl } from '../../router.ts';
import { Bytes } from '../../ui/values.tsx';
import { UnservedNote } from '../requests/mover-note.tsx';
import { Candidates } from './candidates.tsx';
import { areEnough, type MatchingRses, narrowTo, shownRses } from './matching-rses.ts';
import { isTooLarge, maxCountedFiles, type PresentFiles, usePresentFiles } from './present-files.ts';
import { useQuota } from './quota.ts';

/** Effect of a rule if it were made now: its RSEs, the room on each, and the data to copy. */
export function Meaning({
  listed,
  picked,
  onPick,
  copies,
  did,
  account,
}: {
  /** The RSEs of the expression as it is typed. */
  listed: MatchingRses;
  /** Those of them that the reader has ticked; none: the rule may use all. */
  picked: readonly string[];
  onPick: (picked: readonly string[]) => void;
  copies: number;
  did: Did | undefined;
  account: string;
}) {
  const matching = narrowTo(listed, picked);
  const { names: rses, hasMore } = matching;
  const quotas = useQuota(account);
  const present = usePresentFiles(did);
  const bytes = Number(did?.bytes ?? 0);
  const isMissing = (rse: string) => present === undefined || (present.get(rse)?.bytes ?? 0) < bytes;
  return (
    <div class="paged">
      <div class="paged" role="status">
        <p>
          It means{' '}
          <strong>{listed.hasMore ? `more than ${shownRses} RSEs` : counted(listed.names.length, 'RSE')}</strong> now
          {picked.length > 0 && (
            <>
              ; the rule names {picked.length === 1 ? 'the ticked one' : `the ${picked.length} ticked ones`}:{' '}
              <code>{picked.join('|')}</code>
            </>
          )}
          .
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
      </div>
      <Candidates
        rses={listed.names}
        did={did}
        account={account}
        copies={copies}
        present={present}
        quotas={quotas}
        picked={picked}
        isPart={listed.hasMore}
        onPick={onPick}
      />
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
