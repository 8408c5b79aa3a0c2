import { useState } from 'preact/hooks';

import { getJson, path } from '../api/client.ts';
import type { Rule, RuleAnalysis } from '../api/types.ts';
import { counted } from '../format.ts';
import { useLoad } from '../load.ts';
import { placeUrl } from '../router.ts';
import { ErrorNote, Loading } from '../ui/basics.tsx';
import { DidLink, RseLink, Time } from '../ui/values.tsx';
import { analysedLocks, countLocks } from './rule-locks.ts';

/** Causes of a stuck rule by the beginning of its error, as a sentence and what to do. */
const causes: readonly (readonly [prefix: RegExp, cause: string, remedy: string])[] = [
  [
    /InsufficientAccountLimit/,
    'The account has no quota, or too little, on the RSEs that the expression names.',
    'Give the account quota there, or move the rule to other RSEs. It is tried again by itself.',
  ],
  [
    /InsufficientTargetRSEs|RSEOverQuota/,
    'There are fewer RSEs that may be written to than copies are wanted.',
    'Widen the expression, or make an RSE available for writing.',
  ],
  [
    /InvalidRSEExpression|RSENotFound/,
    'No RSE fits the expression any more.',
    'Move the rule to an expression that names RSEs that exist.',
  ],
  [
    /MissingSourceReplica/,
    'Some files have no good replica anywhere that a copy could be made from.',
    'Recover or register a replica of these files, or detach them. Then repair the rule.',
  ],
];

/** Why a rule is stuck, file by file, and what removes the cause. */
export function WhyStuck({ rule }: { rule: Rule }) {
  const [asked, setAsked] = useState(countLocks(rule) <= analysedLocks);
  const known = causes.find(([prefix]) => prefix.test(rule.error ?? ''));
  return (
    <div class="note" data-tone="bad">
      <p>
        <strong>Why it is stuck. </strong>
        {known?.[1] ??
          `${counted(rule.locks_stuck_cnt, 'copy')} failed. This was reported${rule.error === null ? ' without a reason.' : ':'}`}
      </p>
      {rule.error !== null && <p class="name">{rule.error}</p>}
      <p>{known?.[2] ?? 'Remove the cause, then press “Repair now”: the copies are asked for again.'}</p>
      {rule.locks_stuck_cnt > 0 &&
        (asked ? (
          <StuckFiles key={rule.updated_at} rule={rule} />
        ) : (
          <button type="button" onClick={() => setAsked(true)}>
            Look at the stuck files
          </button>
        ))}
    </div>
  );
}

const shownFiles = 20;

function StuckFiles({ rule }: { rule: Rule }) {
  const target = path`/rules/${rule.id}/analysis`;
  const { value, error, reload } = useLoad(target, (signal) => getJson<RuleAnalysis>(target, { signal }));
  if (error !== undefined) return <ErrorNote error={error} retry={reload} />;
  if (value === undefined) return <Loading />;
  return (
    <>
      <h2 class="visually-hidden">Stuck files</h2>
      <ul class="plain-list">
        {value.transfers.slice(0, shownFiles).map((file) => (
          <li key={`${file.scope}:${file.name} ${file.rse}`}>
            <DidLink scope={file.scope} name={file.name} /> to <RseLink rse={file.rse} />:{' '}
            {describeSources(file.sources)}
            <FailedAttempts of={file} known={rule.error} />
          </li>
        ))}
      </ul>
      {value.transfers.length > shownFiles && (
        <p class="hint">
          These are {shownFiles} of {counted(value.transfers.length, 'file')}.
        </p>
      )}
    </>
  );
}

type StuckFile = RuleAnalysis['transfers'][number];

/** How copies of a file failed, with the error unless it is the one that the rule shows. */
function FailedAttempts({ of: file, known }: { of: StuckFile; known: string | null }) {
  if (file.attempts === 0) return null;
  return (
    <div class="hint">
      {counted(file.attempts, 'failed attempt')}, the last <Time of={file.last_time} relative />
      {file.last_source !== null && (
        <>
          {' '}
          from <RseLink rse={file.last_source} />
        </>
      )}
      {file.last_error !== known && (
        <>
          : <bdi class="name">{file.last_error}</bdi>
        </>
      )}
      . <a href={placeUrl(['requests'], { tab: 'history', dst: file.rse })}>Attempts to {file.rse}</a>
    </div>
  );
}

function describeSources(sources: StuckFile['sources']): string {
  if (sources.length === 0) return 'no RSE has a good replica of it';
  const readable = sources.filter(([, isReadable]) => isReadable).map(([rse]) => rse);
  if (readable.length === 0) return `only on RSEs that may not be read: ${sources.map(([rse]) => rse).join(', ')}`;
  return `could be copied from ${readable.join(', ')}`;
}
