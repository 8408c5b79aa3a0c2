import type { ApiError } from '../../api/client.ts';
import { counted } from '../../format.ts';
import { Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Bytes, Count, DidLink, State, TypeMark } from '../../ui/values.tsx';
import { type FoundData, maxDids } from './rule-data.ts';

/** Found DIDs that are listed; missing ones are always. */
const shownDids = 10;

/** The field for what a rule is made for: a DID, or several with one a line. */
export function What({
  text,
  isSeveral,
  isTyping,
  isMalformed,
  found,
  error,
  onText,
  onSeveral,
  onBlur,
}: {
  text: string;
  isSeveral: boolean;
  isTyping: boolean;
  /** A line is no DID. */
  isMalformed: boolean;
  found: FoundData | undefined;
  error: ApiError | undefined;
  onText: (text: string) => void;
  onSeveral: (several: boolean) => void;
  onBlur: () => void;
}) {
  const common = { required: true, spellcheck: false, placeholder: 'scope:name', value: text, onBlur };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text').trim() ?? '';
    // A field of one line would join the lines.
    if (!pasted.includes('\n')) return;
    event.preventDefault();
    onSeveral(true);
    onText(pasted);
  };
  return (
    <Section
      heading="1. What"
      aside={
        <button type="button" class="quiet" onClick={() => onSeveral(!isSeveral)}>
          {isSeveral ? 'One DID' : 'Several DIDs'}
        </button>
      }
    >
      {isSeveral ? (
        <label class="field">
          <span>DIDs, one a line</span>
          <textarea {...common} class="name" rows={6} onInput={({ currentTarget }) => onText(currentTarget.value)} />
        </label>
      ) : (
        <label class="field">
          <span>DID</span>
          <input
            {...common}
            class="large"
            onPaste={paste}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
          />
        </label>
      )}
      {isMalformed && <p class="hint">Write scope, colon, name{isSeveral && ', on each line'}.</p>}
      <FieldError error={error} isQuiet={isTyping} />
      {found !== undefined && (found.all.length === 1 ? <One of={found} /> : <Several of={found} />)}
    </Section>
  );
}

function One({ of: { data } }: { of: FoundData }) {
  if (data === undefined) return null;
  return (
    <p role="status">
      <TypeMark of={data.type} /> <DidLink scope={data.scope} name={data.name} />,{' '}
      <Count of={data.length} noun="file" />, <Bytes of={data.bytes} />
    </p>
  );
}

function Several({ of: { all, data } }: { of: FoundData }) {
  const missing = all.filter(([, did]) => did === undefined);
  const present = all.filter(([, did]) => did !== undefined);
  return (
    <div role="status">
      {all.length > maxDids ? (
        <p>
          {counted(all.length, 'DID')} are too many: a form takes {maxDids}.
        </p>
      ) : (
        <p>
          {counted(all.length, 'DID')}, each of which gets a rule
          {data !== undefined && (
            <>
              : <Count of={data.length} noun="file" />, <Bytes of={data.bytes} />
            </>
          )}
          {missing.length > 0 &&
            `; ${counted(missing.length, 'DID')} of these ${missing.length === 1 ? 'does' : 'do'} not exist`}
          .
        </p>
      )}
      <ul class="plain-list">
        {[...missing, ...present.slice(0, shownDids)].map(([{ scope, name }, did]) => (
          <li key={`${scope}:${name}`}>
            <DidLink scope={scope} name={name} />{' '}
            {did === undefined ? (
              <State of="BAD" label="does not exist" />
            ) : (
              <span class="hint">
                <TypeMark of={did.type} /> <Bytes of={did.bytes} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {present.length > shownDids && <p class="hint">and {counted(present.length - shownDids, 'other')}</p>}
    </div>
  );
}

/** The error of a field; only a hint while the reader is typing. */
export function FieldError({ error, isQuiet }: { error: ApiError | undefined; isQuiet: boolean }) {
  if (error === undefined) return null;
  return isQuiet ? <p class="hint">{error.message}</p> : <ErrorNote error={error} />;
}
