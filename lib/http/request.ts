import type { APIGatewayProxyEvent } from 'aws-lambda';

import type { DidKey } from '../contract/schemas/did.ts';
import { fail } from '../errors.ts';

/** A request as the edge sees it; gateway event shapes stop here. */
export interface HttpRequest {
  readonly method: string;
  /** What stands before the path in the caller's URL: the stage, where no domain of our own hides it. */
  readonly basePath: string;
  /** The path as it was on the wire: still percent-encoded. */
  readonly path: string;
  /** Decoded; the first of repeated keys wins, as in Rucio. */
  readonly query: Readonly<Record<string, string>>;
  /** All values of each key, decoded. */
  readonly queryLists: Readonly<Record<string, readonly string[]>>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly id: string;
  readonly sourceIp: string;
  /** Subject of the client's certificate, which the gateway's mutual TLS has checked; undefined without one. */
  readonly certificateDn: string | undefined;
}

/** Reads an API Gateway proxy event. */
export function fromEvent(event: APIGatewayProxyEvent): HttpRequest {
  return {
    method: event.httpMethod,
    basePath: basePath(event),
    path: event.path,
    query: firstValues(event),
    queryLists: allValues(event),
    headers: Object.fromEntries(
      Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value ?? '']),
    ),
    body: event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString('utf8') : (event.body ?? ''),
    id: event.requestContext.requestId,
    sourceIp: event.requestContext.identity.sourceIp,
    certificateDn: event.requestContext.identity.clientCert?.subjectDN,
  };
}

/** API Gateway's own domains take the stage as the first segment, and leave it out of the event's path. */
function basePath({ requestContext: { domainName = '', stage } }: APIGatewayProxyEvent): string {
  return /\.execute-api\./.test(domainName) ? `/${stage}` : '';
}

function firstValues(event: APIGatewayProxyEvent): Record<string, string> {
  return Object.fromEntries(
    Object.entries(allValues(event)).flatMap(([key, [first]]) => (first === undefined ? [] : [[key, first]])),
  );
}

function allValues(event: APIGatewayProxyEvent): Record<string, string[]> {
  const all = Object.entries(event.multiValueQueryStringParameters ?? {});
  return Object.fromEntries(all.map(([key, values]) => [key, values ?? []]));
}

/**
 * Decodes one path segment, once.
 *
 * @throws ValueError (400) when the percent-encoding is broken.
 */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return fail('ValueError', `Could not parse '${segment}': the percent-encoding is broken`);
  }
}

/**
 * Spells the path of a DID so that a router which knows no empty segments can match it: the slash after the scope is a
 * real one, since a scope holds none, and of two slashes in a row the first one belongs to the name.
 */
export function normaliseDidPath(path: string): string {
  return path
    .replace(/^(\/[^/]+)\/{2,}/, '$1/')
    .replace(/^(\/[^/]+\/[^/%]*)%2f/i, '$1/')
    .replaceAll('//', '%2F/');
}

/**
 * Splits the tail of a DID path into scope and name. The first slash, escaped or not, ends the scope, since a scope
 * holds none; everything after it is the name, so that slashes survive in either spelling (spec/dids.md 1.6).
 *
 * @throws ValueError (400) when there is no slash.
 */
export function parseScopeName(tail: string): DidKey {
  const split = /^([^/]+?)(?:\/|%2f)(.+)$/is.exec(tail);
  if (split === null) {
    const text = decodeSegment(tail);
    const pattern = "pattern '/([^/]+)/(.*)'";
    return fail('ValueError', `Could not parse '/${text}' (scope_name='${text}') with ${pattern} into scope and name.`);
  }
  return { scope: decodeSegment(split[1] ?? ''), name: decodeSegment(split[2] ?? '') };
}
