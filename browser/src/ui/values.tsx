import type { Integer } from '../api/json.ts';
import { counted, exactInteger, fromNow, humanBytes, localClock, localDate, readDate, utcDate } from '../format.ts';
import { placeUrl } from '../router.ts';
import { useTicks } from './use-now.ts';

/** Bytes in human units; exact on hover. */
export function Bytes({ of }: { of: Integer | null | undefined }) {
  if (of === null || of === undefined) return <Absent />;
  if (of === Infinity || Number(of) < 0) return <span>unlimited</span>;
  return (
    <data value={String(of)} title={`${exactInteger(of)} bytes`}>
      {humanBytes(of)}
    </data>
  );
}

/** An exact count. */
export function Count({ of, noun }: { of: Integer | null | undefined; noun?: string }) {
  if (of === null || of === undefined) return <Absent />;
  return <span class="number">{noun === undefined ? exactInteger(of) : counted(of, noun)}</span>;
}

/** A moment in the reader's zone; UTC on hover. */
export function Time({ of, relative = false }: { of: string | null | undefined; relative?: boolean }) {
  const date = readDate(of);
  useTicks(relative && date !== undefined);
  if (date === undefined) return <Absent />;
  return (
    <time dateTime={date.toISOString()} title={`${utcDate(date)}${relative ? `, ${localDate(date)}` : ''}`}>
      {relative ? fromNow(date) : localDate(date)}
    </time>
  );
}

/** The time of something that has just happened, to the second. */
export function Clock({ of }: { of: string }) {
  const date = readDate(of);
  if (date === undefined) return <Absent />;
  return (
    <time class="number" dateTime={date.toISOString()} title={utcDate(date)}>
      {localClock(date)}
    </time>
  );
}

/** Nothing is known. */
function Absent() {
  return (
    <span class="absent">
      <span aria-hidden="true">–</span>
      <span class="visually-hidden">none</span>
    </span>
  );
}

/** A name of the catalogue: any text, isolated so that its direction changes nothing around it. */
export function Name({ children }: { children: string }) {
  return <bdi class="name">{children}</bdi>;
}

/** Names that are longer are cut in the middle where there is no room: what tells them apart is often at the end. */
const longName = 40;
const tailLetters = 18;

/** A DID as a link to its page, on one line in lists. */
export function DidLink({ scope, name, withScope = true }: { scope: string; name: string; withScope?: boolean }) {
  const href = placeUrl(['did', scope, name]);
  if (name.length <= longName) {
    return (
      <a class="did" href={href}>
        {withScope && <bdi class="scope">{scope}:</bdi>}
        <bdi>{name}</bdi>
      </a>
    );
  }
  const full = withScope ? `${scope}:${name}` : name;
  return (
    <a class="did long" href={href} title={full} aria-label={full}>
      <span class="head">
        {withScope && !name.startsWith(scope) && <bdi class="scope">{scope}:</bdi>}
        <bdi>{name.slice(0, -tailLetters)}</bdi>
      </span>
      <bdi>{name.slice(-tailLetters)}</bdi>
    </a>
  );
}

/** An RSE as a link to its page. */
export function RseLink({ rse }: { rse: string }) {
  return (
    <a class="name" href={placeUrl(['rse', rse])}>
      <bdi>{rse}</bdi>
    </a>
  );
}

/** An account as a link to its page. */
export function AccountLink({ account }: { account: string }) {
  return (
    <a class="name" href={placeUrl(['account', account])}>
      <bdi>{account}</bdi>
    </a>
  );
}

/** A rule as a link to its page: the beginning of its id. */
export function RuleLink({ id }: { id: string }) {
  return (
    <a class="name" href={placeUrl(['rule', id])} title={id}>
      {id.slice(0, 8)}
    </a>
  );
}

type Tone = 'good' | 'busy' | 'bad' | 'waiting' | 'plain';

/** Meaning of the states of the catalogue; the tone is the only use of colour. */
const tones: Readonly<Record<string, Tone>> = {
  OK: 'good',
  AVAILABLE: 'good',
  ACTIVE: 'good',
  RECOVERED: 'good',
  APPROVED: 'good',
  PUBLIC: 'good',
  DRAFT: 'waiting',
  REPLICATING: 'busy',
  COPYING: 'busy',
  QUEUED: 'busy',
  SUBMITTING: 'busy',
  SUBMITTED: 'busy',
  DONE: 'good',
  FAILED: 'bad',
  ONLY_TAPE_SOURCES: 'bad',
  MISMATCH_SCHEME: 'bad',
  BEING_DELETED: 'busy',
  INJECT: 'busy',
  STUCK: 'bad',
  BAD: 'bad',
  BROKEN: 'bad',
  LOST: 'bad',
  UNAVAILABLE: 'bad',
  NO_SOURCES: 'bad',
  SUSPICIOUS: 'waiting',
  TEMPORARY_UNAVAILABLE: 'waiting',
  SUSPENDED: 'waiting',
  WAITING_APPROVAL: 'waiting',
  WAITING: 'waiting',
};

const marks: Readonly<Record<Tone, string>> = { good: '✓', busy: '↻', bad: '!', waiting: '…', plain: '·' };

/** A state: a word with a mark and a colour, so that neither is needed alone. */
export function State({ of, label }: { of: string; label?: string }) {
  const tone = tones[of] ?? 'plain';
  return (
    <span class="state" data-tone={tone}>
      <span class="mark" aria-hidden="true">
        {marks[tone]}
      </span>
      {(label ?? of).toLowerCase().replaceAll('_', ' ')}
    </span>
  );
}

/** The type of a DID, with a shape of its own. */
export function TypeMark({ of }: { of: string }) {
  const type = of.toLowerCase();
  return (
    <span class="type" data-type={type}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        {type === 'container' && <path d="M2 5 8 2l6 3v6l-6 3-6-3zM2 5l6 3 6-3M8 8v6" />}
        {type === 'dataset' && <path d="M2 4h12M2 8h12M2 12h12M4.5 4v0M4.5 8v0" />}
        {type === 'file' && <path d="M4 2h5l3 3v9H4zM9 2v3h3" />}
      </svg>
      {type}
    </span>
  );
}
