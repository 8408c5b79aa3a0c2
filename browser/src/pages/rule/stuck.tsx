import { useState } from 'preact/hooks';

import { getJson, path } from '../../api/client.ts';
import type { Rule, RuleAnalysis } from '../../api/types.ts';
import { counted } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { Pending } from '../../ui/basics.tsx';
import { DidLink, RseLink, Time } from '../../ui/values.tsx';
import { failedAttemptsUrl, findCause } from './causes.ts';
import { analysedLocks, countLocks } from './locks.ts';
import { RecoveryAdvice } from './recovery.tsx';

/** Why a rule is stuck, file by file, and what removes the cause. */
export function WhyStuck({ rule }: { rule: Rule }) {
  const [asked, setAsked] = useState(countLocks(rule) <= analysedLocks);
  const { cause, advice, remedies } = findCause(rule);
  return (
    <div class="note" data-tone="bad">
      <p>
        <strong>Why it is stuck. </strong>
        {cause ??
          `${counted(rule.locks_stuck_cnt, 'copy')} failed. This was reported${rule.error === null ? ' without a reason.' : ':'}`}
      </p>
      {rule.error !== null && <p class="name">{rule.error}</p>}
      <p>{advice}</p>
      <p class="actions">
        {remedies.map(([label, url]) => (
          <a key={label} class="button" href={url}>
            {label}
          </a>
        ))}
      </p>
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
  const target = path('/rules/:rule_id/analysis', { rule_id: rule.id });
  const { value, error, reload } = useLoad(target, (signal) => getJson(target, { signal }));
  if (value === undefined) return <Pending of={{ value, error, reload }} />;
  const shown = value.transfers.slice(0, shownFiles);
  const lost = shown.filter(({ sources }) => sources.length === 0);
  return (
    <>
      <h2 class="visually-hidden">Stuck files</h2>
      <Pending of={{ value, error, reload }} />
      {lost.length > 0 && (
        <>
          <p>
            Files without a good replica cannot be copied, also not by a repair. First recover or register a replica of
            them, or detach them.
          </p>
          <RecoveryAdvice rule={rule} files={lost} />
        </>
      )}
      {lost.length > 0 && lost.length < shown.length && <p>All files that are not there yet:</p>}
      <ul class="plain-list">
        {shown.map((file) => (
          <li key={`${file.scope}:${file.name} ${file.rse}`}>
            <DidLink scope={file.scope} name={file.name} /> to <RseLink rse={file.rse} />: <Sources of={file.sources} />
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
  if (file.attempts === 0) {
    const isSaid = file.last_error === known || file.last_error === 'None';
    return isSaid ? null : <div class="hint name">{file.last_error}</div>;
  }
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
      . <a href={failedAttemptsUrl(file.rse)}>Failed attempts to {file.rse}</a>
    </div>
  );
}

/** From where a file can be copied. */
function Sources({ of: sources }: { of: StuckFile['sources'] }) {
  if (sources.length === 0) return <>no RSE has a good replica of it</>;
  const readable = sources.filter(([, isReadable]) => isReadable);
  const [words, shown] =
    readable.length === 0 ? ['only on RSEs that may not be read:', sources] : ['could be copied from', readable];
  return (
    <>
      {words}{' '}
      {shown.map(([rse], i) => (
        <span key={rse}>
          {i > 0 && ', '}
          <RseLink rse={rse} />
        </span>
      ))}
    </>
  );
}
