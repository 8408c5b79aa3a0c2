import { X509Certificate } from 'node:crypto';

import type { APIGatewayEventClientCertificate, APIGatewayProxyEvent } from 'aws-lambda';

import type { DidKey } from '../contract/schemas/did.ts';
import { env } from '../env.ts';
import { fail } from '../errors.ts';

/** A request inside Dapple; the shape of gateway events is known only in this file. */
export interface HttpRequest {
  readonly method: string;
  /** The part of the URL before the path: the stage, unless the request used a custom domain. */
  readonly basePath: string;
  /** The path as sent: still percent-encoded. */
  readonly path: string;
  /** Decoded; the first value of a repeated key, as in Rucio. */
  readonly query: Readonly<Record<string, string>>;
  /** All values of each key, decoded. */
  readonly queryLists: Readonly<Record<string, readonly string[]>>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly id: string;
  readonly sourceIp: string;
  /** Subject of the client's certificate, verified by the gateway's mutual TLS; undefined without one. */
  readonly certificateDn: string | undefined;
}

/** Reads an API Gateway proxy event. */
export function readEvent(event: APIGatewayProxyEvent): HttpRequest {
  return {
    method: event.httpMethod,
    ...splitPath(event),
    ...readQuery(event),
    headers: readHeaders(event),
    body: event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString('utf8') : (event.body ?? ''),
    id: event.requestContext.requestId,
    sourceIp: event.requestContext.identity.sourceIp,
    certificateDn: subjectOf(event.requestContext.identity.clientCert),
  };
}

/**
 * On API Gateway's own domains the stage is the first segment of the URL; the event's path omits it. On a custom domain name the
 * path begins with what the name is mapped to.
 */
function splitPath({
  path,
  requestContext: { domainName = '', stage },
}: APIGatewayProxyEvent): Pick<HttpRequest, 'basePath' | 'path'> {
  if (/\.execute-api\./.test(domainName)) return { basePath: `/${stage}`, path };
  const mapped = env.basePath;
  if (mapped === '' || !`${path}/`.startsWith(`${mapped}/`)) return { basePath: '', path };
  return { basePath: mapped, path: path.slice(mapped.length) || '/' };
}

/**
 * The subject of a certificate in the slash form, `/DC=org/CN=Jane`. The gateway's own text separates its parts by commas, which
 * values may contain as well.
 */
function subjectOf(certificate: APIGatewayEventClientCertificate | null | undefined): string | undefined {
  if (certificate === null || certificate === undefined) return undefined;
  try {
    const parts = new X509Certificate(certificate.clientCertPem).subject.split(/\n| \+ /).map(unescape);
    // A value that looks like several parts could name somebody else.
    if (parts.some((part) => /[/,]\s*[A-Za-z][\w.-]*=/.test(part))) return undefined;
    return parts.map((part) => `/${part}`).join('');
  } catch {
    // An emulator may send no certificate.
  }
  return certificate.subjectDN;
}

/** Node writes the special characters of RFC 2253 with a backslash, and control characters as two digits. The slash form does not. */
function unescape(part: string): string {
  return part.replaceAll(/\\([\dA-F]{2}|.)/g, (_all, escaped: string) =>
    escaped.length === 1 ? escaped : String.fromCodePoint(Number.parseInt(escaped, 16)),
  );
}

/** Scheme and host of the URL that the caller used; empty where unknown, so that a location becomes a path. */
export function originOf({ host, 'x-forwarded-proto': protocol }: Readonly<Record<string, string>>): string {
  return host ? `${protocol === 'http' ? 'http' : 'https'}://${host}` : '';
}

function readQuery({ multiValueQueryStringParameters: sent }: APIGatewayProxyEvent) {
  const all = Object.entries(sent ?? {});
  return {
    query: Object.fromEntries(all.flatMap(([key, values]) => (values?.[0] === undefined ? [] : [[key, values[0]]]))),
    queryLists: Object.fromEntries(all.map(([key, values = []]) => [key, values])),
  };
}

function readHeaders({ headers: sent }: APIGatewayProxyEvent): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent ?? {})) headers[name.toLowerCase()] = value ?? '';
  return headers;
}

/**
 * Decodes one path segment, exactly once.
 *
 * @throws ValueError (400) if the percent-encoding is invalid.
 */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return fail('ValueError', `Could not parse '${segment}': the percent-encoding is broken`);
  }
}

/** Rewrites the path of a DID for the router: the slashes before the scope are one, and the one behind it is not escaped. */
export function normaliseDidPath(path: string): string {
  return path.replace(/^(\/[^/]+)(?:\/|%2f)+/i, '$1/').replace(/^(\/[^/]+\/[^/%]*)%2f/i, '$1/');
}

/**
 * Splits the tail of a DID path into scope and name. The first slash, escaped or not, ends the scope, since a scope
 * contains none. Everything after it is the name, so slashes in names work escaped and plain (spec/dids.md 1.6).
 *
 * @throws ValueError (400) if there is no slash.
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
