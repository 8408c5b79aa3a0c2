import { useRef } from 'preact/hooks';

import type { ApiError } from '../api/client.ts';
import { type Asked, useLateFocus } from '../late-focus.ts';
import { wordsOf } from '../ui/error-note.tsx';

/** Refusals of tasks in a person's words; the words of the service follow them. */
const words: Readonly<Record<string, string>> = {
  ConfigurationError: 'The option does not take this value.',
  DataIdentifierAlreadyExists: 'There is a DID of this name already, or there was one: names are never used again.',
  DataIdentifierNotFound: 'One of the DIDs does not exist. Names are case-sensitive.',
  Duplicate: 'There is one of this name already.',
  DuplicateContent: 'One of the DIDs is attached already.',
  FileAlreadyExists: 'One of the files is attached already.',
  IdentityError: 'The identity is not valid.',
  InvalidObject: 'One of the values has a form that is not allowed.',
  InvalidPath: 'The path leads out of its RSE.',
  InvalidReplicationRule: 'The rule is not valid.',
  InvalidValueForKey: 'The key does not take this value.',
  ReplicaNotFound: 'One of the files has no replica there.',
  RSEOperationNotSupported: 'The RSE cannot do this while it has files or settings that need it.',
  RSEProtocolPriorityError: 'The priorities of the protocol do not fit those of the others.',
  RSEProtocolNotSupported: 'The RSE has no such protocol.',
  RuleReplaceFailed: 'The rule cannot be replaced.',
  ScopeNotFound: 'There is no such scope.',
  SubscriptionDuplicate: 'The account has a subscription of this name already.',
  SubscriptionNotFound: 'There is no such subscription.',
  UnsupportedAccountName: 'The name is not allowed for this type of account.',
  UnsupportedOperation: 'What is there now does not allow it.',
  UnsupportedStatus: 'What is there now does not allow it.',
};

/** Why a task was refused: in a person's words, then in those of the service. It takes the focus of a reader who has waited for it. */
export function Refusal({
  error,
  asked,
  done,
  all,
}: {
  error: ApiError;
  /** When the reader asked for the task. */
  asked: Asked | undefined;
  done: number;
  all: number;
}) {
  const note = useRef<HTMLDivElement>(null);
  useLateFocus(note, asked);
  return (
    <div ref={note} class="note" data-tone="bad" role="alert" tabIndex={-1}>
      <p>
        <strong>{words[error.exceptionClass] ?? wordsOf(error)?.says ?? 'The service has refused it.'}</strong>
      </p>
      <p class="name">{error.message}</p>
      {done > 0 && (
        <p>
          {done} of {all} steps {done === 1 ? 'is' : 'are'} done. The button goes on with the next one.
        </p>
      )}
      <p class="hint">
        {error.exceptionClass}
        {error.status > 0 && ` ${error.status}`}
      </p>
    </div>
  );
}
