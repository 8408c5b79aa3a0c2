import { type WireAnswer, pathPrefix } from './http.ts';
import type { Answer, BodyKind, JsonValue, Scenario } from './types.ts';

const DATE =
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d (?:UTC|GMT)\b|\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?|datetime\.datetime\([^)]*\)/g;
const ID = /\b(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\b/g;
const SCHEMA_REASON = /^(Problem validating \w+): [\s\S]*$/;
const DATABASE_TEXT = /psycopg|sqlalchemy|sqlite|oracledb/i;
const ADDRESS = /\b0x[0-9a-f]{6,}\b/g;
const HEADER_LIMIT = 125;

/** Texts that look volatile but come from a scenario, so they are kept (lower case). */
export type KnownTexts = ReadonlySet<string>;

/** Collects the ids, checksums and dates that a scenario itself sends. */
export function knownTexts(scenario: Scenario): KnownTexts {
  const sent = JSON.stringify(
    scenario.steps.map(({ path, headers, body }) => [decodeSafely(path), headers ?? {}, body ?? null]),
  );
  const found = [...sent.matchAll(ID), ...sent.matchAll(DATE)].map(([text]) => text.toLowerCase());
  return new Set([...found, ...found.map((text) => text.replaceAll('-', ''))]);
}

/** Turns an answer into the form that fixtures hold: parsed, and with everything volatile replaced. */
export function normalise(wire: WireAnswer, baseUrl: string, known: KnownTexts): Answer {
  const contentType = wire.headers['content-type'] ?? null;
  const error = errorOf(wire);
  const { bodyKind, body } =
    error === undefined ? parseBody(wire.text, contentType) : { bodyKind: 'error' as const, body: undefined };
  const location = wire.headers.location;
  const rucioHeaders = rucioHeadersOf(wire);
  const keepsBody = body !== undefined && bodyKind !== 'html' && bodyKind !== 'empty';
  return {
    status: wire.status,
    contentType,
    ...(error === undefined
      ? {}
      : {
          exceptionClass: error.exceptionClass,
          exceptionMessage: cleanMessage(error.message, known),
          errorHeaders: error.headersAgree,
        }),
    ...(location === undefined ? {} : { location: relative(location, baseUrl) }),
    ...(wire.headers.allow === undefined ? {} : { allow: wire.headers.allow.split(/,\s*/).sort() }),
    ...(Object.keys(rucioHeaders).length === 0 ? {} : { rucioHeaders }),
    bodyKind,
    ...(keepsBody ? { body: cleanValue(body, known) } : {}),
  };
}

/** Parses a body by its content type; stream lines become an array. */
export function parseBody(text: string, contentType: string | null): { bodyKind: BodyKind; body?: JsonValue } {
  if (contentType === 'application/x-json-stream' && (text === '' || text.endsWith('\n'))) {
    const lines = parseLines(text);
    if (lines !== undefined) return { bodyKind: 'lines', body: lines };
  }
  if (text === '') return { bodyKind: 'empty' };
  if (/^\s*<(?:!doctype|html)/i.test(text)) return { bodyKind: 'html' };
  if (contentType === 'application/json') {
    const value = parseJson(text);
    if (value !== undefined) return { bodyKind: 'json', body: value };
    const lines = parseLines(text);
    if (lines !== undefined) return { bodyKind: 'lines', body: lines };
  }
  return { bodyKind: 'text', body: text };
}

interface WireError {
  readonly exceptionClass: string;
  readonly message: string;
  readonly headersAgree: boolean;
}

/** Reads the error a Rucio server reports in the body and repeats in two headers. */
function errorOf(wire: WireAnswer): WireError | undefined {
  const headerClass = headerText(wire, 'exceptionclass');
  const headerMessage = headerText(wire, 'exceptionmessage');
  const body = wire.status >= 400 ? parseJson(wire.text) : undefined;
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    const { ExceptionClass: exceptionClass, ExceptionMessage: message } = body;
    if (typeof exceptionClass === 'string' && typeof message === 'string') {
      const flat = message.replace(/[\r\n]/g, ' ');
      const cut = flat.length > HEADER_LIMIT ? `${flat.slice(0, HEADER_LIMIT)}...` : flat;
      return {
        exceptionClass,
        message,
        headersAgree: headerClass === exceptionClass && headerMessage?.trim() === cut.trim(),
      };
    }
  }
  if (headerClass === undefined) return undefined;
  return { exceptionClass: headerClass, message: headerMessage ?? '', headersAgree: false };
}

function headerText(wire: WireAnswer, name: string): string | undefined {
  const value = wire.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function rucioHeadersOf(wire: WireAnswer): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(wire.headers)
    .filter((header) => header.startsWith('x-rucio-'))
    .sort()) {
    const value = headerText(wire, name) ?? '';
    kept[name] = name.endsWith('-token') ? '<token>' : value.replace(DATE, '<date>');
  }
  return kept;
}

function relative(location: string, baseUrl: string): string {
  const base = new URL(baseUrl);
  const path = location.startsWith(base.origin) ? location.slice(base.origin.length) : location;
  const prefix = pathPrefix(base);
  return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/** Python's `Infinity` and `NaN` tokens become strings, so that the rest can be read as JSON. */
function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text.replace(/(?<=[:[,]\s*)(-?Infinity|NaN)(?=\s*[,}\]\n]|$)/g, '"<$1>"')) as JsonValue;
  } catch {
    return undefined;
  }
}

function parseLines(text: string): JsonValue[] | undefined {
  const values = text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseJson);
  return values.every((value) => value !== undefined) ? values : undefined;
}

function cleanMessage(message: string, known: KnownTexts): string {
  if (DATABASE_TEXT.test(message)) return '<database text>';
  return cleanText(message.replace(SCHEMA_REASON, '$1: <reason>'), known);
}

function cleanText(text: string, known: KnownTexts): string {
  if (DATABASE_TEXT.test(text)) return '<database text>';
  const kept = (placeholder: string) => (match: string) => (known.has(match.toLowerCase()) ? match : placeholder);
  return text.replace(DATE, kept('<date>')).replace(ID, kept('<id>')).replace(ADDRESS, '<address>');
}

function cleanValue(value: JsonValue, known: KnownTexts): JsonValue {
  if (typeof value === 'string') return cleanText(value, known);
  if (Array.isArray(value)) return value.map((element) => cleanValue(element, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(byKey)
      .map(([key, inner]) => [cleanText(key, known), cleanValue(inner, known)]),
  );
}

function byKey([left]: [string, JsonValue], [right]: [string, JsonValue]): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function decodeSafely(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
