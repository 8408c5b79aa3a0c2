import type { IncomingMessage } from 'node:http';

import { EngineError } from './errors.ts';

const inQuery = ['X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Signature', 'X-Amz-SignedHeaders', 'X-Amz-Date'];
const inHeader = ['Credential', 'Signature', 'SignedHeaders'];

/**
 * Checks that a request has all parts of a signature, as AWS does. The signature itself is not verified: only this
 * machine can connect.
 *
 * @returns the error; undefined if all parts are present.
 */
export function checkAuthentication({ headers, url = '' }: IncomingMessage): EngineError | undefined {
  const { authorization } = headers;
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  if (query.has('X-Amz-Algorithm')) {
    return authorization === undefined ? checkQuery(query) : refuse('InvalidSignatureException', twoSignatures);
  }
  if (authorization?.startsWith('AWS4-') !== true) {
    return refuse('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  }
  return checkHeader(authorization, headers);
}

const twoSignatures = "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.";

function checkQuery(query: URLSearchParams): EngineError | undefined {
  const missing = inQuery.filter((name) => (query.get(name) ?? '') === '');
  if (missing.length === 0) return undefined;
  const problems = missing.map((name) => `AWS query-string parameters must include '${name}'. `);
  return refuse('IncompleteSignatureException', `${problems.join('')}Re-examine the query-string parameters.`);
}

function checkHeader(authorization: string, headers: IncomingMessage['headers']): EngineError | undefined {
  const given = new Set(authorization.split(/[, ]/).map((part) => part.split('=', 1)[0]));
  const problems = inHeader
    .filter((name) => !given.has(name))
    .map((name) => `Authorization header requires '${name}' parameter. `);
  if (headers['x-amz-date'] === undefined && headers.date === undefined) {
    problems.push("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
  }
  if (problems.length === 0) return undefined;
  return refuse('IncompleteSignatureException', `${problems.join('')}Authorization=${authorization}`);
}

const refuse = (type: string, message: string) => new EngineError(type, message);
