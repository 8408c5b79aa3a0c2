import { useEffect, useRef } from 'preact/hooks';

import type { ApiError } from '../api/client.ts';

/** Refusals in a person's words; the words of the service follow them. */
const words: Readonly<Record<string, string>> = {
  AccessDenied: 'Your account may not do this.',
  AccountNotFound: 'There is no such account. Names are case-sensitive.',
  ConfigurationError: 'The option does not take this value.',
  DataIdentifierAlreadyExists: 'There is a DID of this name already, or there was one: names are never used again.',
  DataIdentifierNotFound: 'One of the DIDs does not exist. Names are case-sensitive.',
  Duplicate: 'There is one of this name already.',
  DuplicateContent: 'One of the DIDs is attached already.',
  DuplicateRule: 'This account has such a rule for this DID already.',
  FileAlreadyExists: 'One of the files is attached already.',
  IdentityError: 'The identity is not valid.',
  InsufficientAccountLimit: 'The account has no quota, or not enough, on these RSEs.',
  InsufficientTargetRSEs: 'Fewer RSEs fit than copies are wanted.',
  InvalidObject: 'One of the values has a form that is not allowed.',
  InvalidPath: 'The path leads out of its RSE.',
  InvalidReplicationRule: 'The rule is not valid.',
  InvalidRSEExpression: 'No RSE fits the expression, or it cannot be read. Example: tier=2&country=CH',
  InvalidValueForKey: 'The key does not take this value.',
  ReplicaNotFound: 'One of the files has no replica there.',
  RSENotFound: 'There is no such RSE. Names are case-sensitive.',
  RSEOperationNotSupported: 'The RSE cannot do this while it has files or settings that need it.',
  RSEProtocolPriorityError: 'The priorities of the protocol do not fit those of the others.',
  RSEProtocolNotSupported: 'The RSE has no such protocol.',
  RuleNotFound: 'The rule has ended, or never was.',
  RuleReplaceFailed: 'The rule cannot be replaced.',
  ScopeNotFound: 'There is no such scope.',
  SubscriptionDuplicate: 'The account has a subscription of this name already.',
  SubscriptionNotFound: 'There is no such subscription.',
  Unreachable: 'The server does not answer. Nothing that you have typed is lost.',
  UnsupportedAccountName: 'The name is not allowed for this type of account.',
  UnsupportedOperation: 'What is there now does not allow it.',
  UnsupportedStatus: 'What is there now does not allow it.',
};

/** Why a task was refused: in a person's words, then in those of the service. It takes the focus. */
export function Refusal({ error, done, all }: { error: ApiError; done: number; all: number }) {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => note.current?.focus(), [error]);
  return (
    <div ref={note} class="note" data-tone="bad" role="alert" tabIndex={-1}>
      <p>
        <strong>{words[error.exceptionClass] ?? 'The service has refused it.'}</strong>
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
