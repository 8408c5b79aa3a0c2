import type { ApiError } from '../api/client.ts';

/** What an error means to a person, and what to do about it. Without words of its own the message of the service comes first. */
interface Words {
  readonly says?: string;
  readonly remedy: string;
}

const words: Readonly<Record<string, Words>> = {
  AccessDenied: {
    says: 'Your account may not do this.',
    remedy: 'Log in with another account, or ask an administrator.',
  },
  CannotAuthenticate: {
    says: 'The user name, the password or the account is wrong.',
    remedy: 'Check them and try again. If your session has ended, log in again.',
  },
  WrongPassword: { remedy: 'Check it and try again.' },
  NoProvider: {
    remedy: 'An administrator has to register this server at a provider, or the provider does not answer.',
  },
  Unreachable: {
    says: 'The server does not answer.',
    remedy: 'It may be stopped, or the network is down. Nothing that you have typed is lost: try again.',
  },
  Unfetched: {
    says: 'This part of the page could not be fetched.',
    remedy: 'The network may be down, or the page is newer than this window: try again.',
  },
  DataIdentifierNotFound: {
    says: 'There is no such dataset, container or file.',
    remedy: 'Check the spelling; names are case-sensitive. It may also have been deleted.',
  },
  DIDFilterSyntaxError: {
    says: 'The search cannot be read.',
    remedy: 'Sizes may have a unit, such as 40 GB or 1.5 TiB; numbers of files may be such as 10k.',
  },
  RuleNotFound: {
    says: 'There is no such rule.',
    remedy: 'It may have ended or been deleted: a deleted rule is gone after an hour.',
  },
  RSENotFound: { says: 'There is no such RSE.', remedy: 'Check the spelling, or look at the list of RSEs.' },
  AccountNotFound: {
    says: 'There is no such account.',
    remedy: 'Check the spelling, or look at the list of accounts.',
  },
  InvalidRSEExpression: {
    says: 'No RSE fits this expression, or it cannot be read.',
    remedy: 'Example: tier=2&country=CH|SITE_DISK',
  },
  InsufficientAccountLimit: {
    says: 'The account has no quota, or not enough, on these RSEs.',
    remedy: 'Ask for quota, or choose other RSEs.',
  },
  InsufficientTargetRSEs: {
    says: 'Fewer RSEs fit than copies are wanted.',
    remedy: 'Widen the expression, or ask for fewer copies.',
  },
  DuplicateRule: {
    says: 'This account has such a rule for this dataset already.',
    remedy: 'Look at the rules of the dataset.',
  },
  DatabaseException: { says: 'The service is busy.', remedy: 'Try again in a moment.' },
};

/** The meaning of an error to a person, where it is known. */
export function wordsOf(error: ApiError): Words | undefined {
  if (isUnfetched(error)) return words['Unfetched'];
  if (isWrongPassword(error)) return words['WrongPassword'];
  return words[isWithoutProvider(error) ? 'NoProvider' : error.exceptionClass];
}

/** An error: first in a person's words, then the words of the service for whoever looks them up. */
export function ErrorNote({ error, retry }: { error: ApiError; retry?: (() => void) | undefined }) {
  const known = wordsOf(error);
  return (
    <div class="note" data-tone="bad" role="alert">
      <p>
        <strong>{known?.says ?? <bdi>{error.message}</bdi>}</strong> {known?.remedy}
      </p>
      <details>
        <summary>In the words of the service</summary>
        <p class="name">
          {error.exceptionClass}
          {error.status > 0 && ` ${error.status}`}: <bdi>{error.message}</bdi>
        </p>
      </details>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Whoever changes a password has given a wrong one; the message of the service says which. */
const isWrongPassword = ({ exceptionClass, message }: ApiError) =>
  exceptionClass === 'CannotAuthenticate' && message.startsWith('The present password');

/** No log-in at a provider could be begun. */
const isWithoutProvider = ({ exceptionClass, message }: ApiError) =>
  exceptionClass === 'CannotAuthenticate' && message.startsWith('Cannot get authentication URL');

/** A chunk of the page was not there. */
const isUnfetched = ({ exceptionClass, message }: ApiError) =>
  exceptionClass === 'Unexpected' && /dynamically imported module|module script/i.test(message);
