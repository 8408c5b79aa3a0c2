import { hash } from 'node:crypto';
import { Readable } from 'node:stream';

import type { TextReply } from './respond.ts';

/**
 * The page may run its own scripts and call its own server, nothing else. Texts of the catalogue can never become
 * markup or script: there are no policies for trusted types.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const pageHeaders = {
  ...commonHeaders,
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  // The page names the files of its version, so it is asked for each time.
  'Cache-Control': 'no-cache',
};

const fileHeaders = {
  ...commonHeaders,
  // The hash in its name changes with the content.
  'Cache-Control': 'public, max-age=31536000, immutable',
};

type RequestHeaders = Readonly<Record<string, string>>;

/** The answer with the HTML of the page, or 304 if the caller has it. */
export function replyWithPage(html: string, requestHeaders: RequestHeaders): TextReply {
  return reply(html, pageHeaders, requestHeaders);
}

/** The answer with a file of the page, or 304 if the caller has it. */
export function replyWithFile(
  { text, mediaType }: { readonly text: string; readonly mediaType: string },
  requestHeaders: RequestHeaders,
): TextReply {
  return reply(text, { ...fileHeaders, 'Content-Type': mediaType }, requestHeaders);
}

/** The answer with a JSON document that changes with the version only, or 304 if the caller has it. */
export function replyWithDocument(text: string, requestHeaders: RequestHeaders): TextReply {
  return reply(text, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }, requestHeaders);
}

function reply(text: string, headers: Readonly<Record<string, string>>, requestHeaders: RequestHeaders): TextReply {
  // Weak, since the bytes depend on the compression.
  const tag = `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
  const tagged = { ...headers, ETag: tag };
  return isKnown(tag, requestHeaders['if-none-match'])
    ? { status: 304, headers: tagged, body: '' }
    : { headers: tagged, body: Readable.from([Buffer.from(text)]) };
}

/** Whether `If-None-Match` names the tag (RFC 9110, 13.1.2: a weak comparison). */
function isKnown(tag: string, known = ''): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return known.trim() === '*' || known.split(',').some((candidate) => opaque(candidate) === opaque(tag));
}
