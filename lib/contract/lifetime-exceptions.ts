import { group, type Route } from './route.ts';
import { addedExceptions, exceptionDecision, lifetimeException, newExceptions } from './schemas/lifetime-exception.ts';

const json = 'application/json';

const list = {
  method: 'GET',
  permission: 'any',
  accept: 'application/x-json-stream',
  pages: true,
  answer: { kind: 'stream', schema: lifetimeException },
} as const satisfies Omit<Route, 'path' | 'summary'>;

/** Exceptions to the lifetime model: DIDs that are kept beyond their end of life (spec/access.md 6.5). */
export const lifetimeExceptions = group('lifetime-exceptions', ['/lifetime_exceptions'], {
  listLifetimeExceptions: { ...list, path: '/lifetime_exceptions', summary: 'All exceptions, a line for each DID' },
  addLifetimeExceptions: {
    method: 'POST',
    path: '/lifetime_exceptions',
    summary: 'Ask for exceptions for DIDs that end before the cutoff date',
    permission: 'any',
    body: { schema: newExceptions, json: 'dictionary', name: 'lifetime_exception' },
    answer: {
      kind: 'text',
      mediaType: json,
      replies: { 201: { description: 'The outcome for each DID.', content: { [json]: addedExceptions } } },
    },
    errors: { InvalidObject: 400, UnsupportedOperation: 409 },
  },
  getLifetimeException: {
    ...list,
    path: '/lifetime_exceptions/:exception_id',
    summary: 'The DIDs of an exception; empty for an unknown one',
  },
  updateLifetimeException: {
    method: 'PUT',
    path: '/lifetime_exceptions/:exception_id',
    summary: 'Approve or reject an exception',
    permission: 'update_lifetime_exceptions',
    body: { schema: exceptionDecision, json: 'dictionary', name: 'lifetime_exception' },
    answer: { kind: 'created' },
    errors: { UnsupportedOperation: 400, AccessDenied: 401, LifetimeExceptionNotFound: 404 },
  },
});
