import * as z from 'zod/mini';

import { parseJson, toJson, toText } from '../../json.ts';
import { date, integer, mapped } from './common.ts';
import { maxPageRows } from './paging.ts';
import { type OpendataState, opendataStates } from './states.ts';

const state = z.enum(opendataStates);

const isState = (text: string): text is OpendataState => opendataStates.some((known) => known === text);

/** A state in any case (spec/access.md 10.2). */
const givenState = mapped(
  z.string().check(
    z.refine((text) => isState(text.toUpperCase()), {
      error: ({ input }) =>
        `Invalid state '${toText(input).toLowerCase()}'. Valid opendata states are: ` +
        opendataStates.map((known) => known.toLowerCase()).join(', '),
      params: { exception: 'OpenDataError' },
    }),
  ),
  (text) => text.toUpperCase() as OpendataState,
).check(z.meta({ enum: opendataStates.map((known) => known.toLowerCase()), description: 'In any case' }));

/** The most rows that a list may skip: to skip a row costs as much as to answer it. */
export const maxSkippedRows = 10_000;

/** An integer as Python's `int` reads it. */
const pythonInteger = /^\s*[+-]?\d+\s*$/;

/** A number of rows as Rucio reads it: a text that is no number counts as absent. */
const rowCount = (most: number, what: string) =>
  mapped(
    z.optional(z.string()).check(
      z.refine((text) => !pythonInteger.test(text ?? '') || (Number(text) >= 0 && Number(text) <= most), {
        error: ({ input }) => `'${toText(input)}' is no ${what} from 0 to ${most}`,
      }),
    ),
    (text) => (pythonInteger.test(text ?? '') ? Number(text) : undefined),
  );

/** The `limit` of the lists of open data; without one they answer the most rows of a page. */
export const opendataLimit = mapped(rowCount(maxPageRows, 'number of rows'), (rows) => rows ?? maxPageRows).check(
  z.meta({
    type: 'integer',
    minimum: 0,
    maximum: maxPageRows,
    description: `Rows in a page, by default ${maxPageRows}; if there are more, the header \`Link\` points to the next page`,
  }),
);

const offset = mapped(rowCount(maxSkippedRows, 'number of rows to skip'), (rows) => rows ?? 0).check(
  z.meta({ type: 'integer', minimum: 0, maximum: maxSkippedRows, description: 'Rows to skip; `cursor` goes further' }),
);

/** Query of the public list. */
export const publicOpendataQuery = z.object({ offset });
/** Query of the list. */
export const opendataQuery = z.object({ offset, state: z.optional(givenState) });

const entry = { scope: z.string(), name: z.string(), state, created_at: date, updated_at: date };
const opendataRow = z.object(entry);
export type OpendataRow = z.input<typeof opendataRow>;

/** A list of open data, the one that changed longest ago first. */
export const opendataList = z.object({
  total: z.int().check(z.meta({ description: 'Entries in the list, on all pages' })),
  offset: z.int(),
  dids: z.array(opendataRow),
});

/** A part of the answer that `1` asks for, and anything else does not. */
const part = (fallback: boolean, description: string) =>
  mapped(z.optional(z.string()), (text) => (text === undefined ? fallback : text === '1')).check(
    z.meta({ enum: ['0', '1'], description }),
  );

const parts = {
  files: part(false, 'Whether to list the files, with their PFNs on disks'),
  meta: part(false, 'Whether to show the metadata'),
  doi: part(true, 'Whether to show the DOI; by default it is shown'),
  record_id: part(true, 'Whether to show the record; by default it is shown'),
  download_urls: part(false, 'Whether files have `download_urls`'),
};

/** Query of one public entry: the parts of the answer. */
export const publicEntryQuery = z.object(parts);
/** Query of one entry. */
export const entryQuery = z.object({ ...parts, state: z.optional(givenState) });
export type EntryParts = z.output<typeof publicEntryQuery>;

const opendataFile = z.object({
  scope: z.string(),
  name: z.string(),
  bytes: z.nullable(integer),
  adler32: z.nullable(z.string()),
  uris: z.array(z.string()),
  download_urls: z
    .optional(z.array(z.string()))
    .check(z.meta({ description: 'Empty: no storage is asked for tokens' })),
});
export type OpendataFile = z.input<typeof opendataFile>;

const freeMetadata = z.record(z.string(), z.unknown());

/** One entry of open data (spec/access.md 10.3). */
export const opendataEntry = z.object({
  ...entry,
  doi: z.optional(z.nullable(z.string())),
  record_id: z.optional(z.nullable(z.int())),
  meta: z.optional(freeMetadata),
  rule: z.nullable(z.string()).check(z.meta({ description: 'The rule of the section `opendata`, if there is one' })),
  files: z.optional(z.array(opendataFile)),
  files_summary: z.optional(
    z.object({
      length: z.int(),
      bytes: integer,
      extensions: z.array(z.string()),
      replicas_missing: z.int().check(z.meta({ description: 'Files without a PFN' })),
      request_cache_hit: z.boolean(),
      request_time_elapsed_millis: z.number(),
    }),
  ),
});
export type OpendataEntryRecord = z.input<typeof opendataEntry>;

/** A check of a body whose violation is an `InputValidationError`. */
function requireInput<T>(isValid: (value: T) => boolean, message: string) {
  return z.refine<T>(isValid, { error: message, params: { exception: 'InputValidationError' }, abort: true });
}

const longestDoi = 255;

const doi = z.unknown().check(
  requireInput((value) => typeof value === 'string', 'DOI must be a string.'),
  requireInput((value) => /^10\.\d{4,9}\/[-._;()/:A-Za-z0-9]+$/.test(toText(value)), 'Invalid DOI format.'),
  requireInput((value) => toText(value).length <= longestDoi, `A DOI has at most ${longestDoi} characters.`),
  z.meta({ type: 'string', description: 'Such as `10.1234/abcd.efgh`; of one entry only' }),
);

const greatestRecordId = 2_147_483_647;

/** A record as Python's `int` reads it (spec/access.md 10.4). */
const recordId = mapped(
  z.union([z.number(), z.bigint(), z.boolean(), z.string()]).check(
    z.refine((value) => typeof value !== 'string' || pythonInteger.test(value), {
      error: ({ input }) => `invalid literal for int() with base 10: '${toText(input)}'`,
      params: { exception: 'ValueError' },
      abort: true,
    }),
    requireInput((value) => Math.trunc(Number(value)) >= 0, 'Record ID must be a non-negative integer.'),
    requireInput((value) => Number(value) <= greatestRecordId, `A record ID is at most ${greatestRecordId}.`),
  ),
  (value) => Math.trunc(Number(value)),
).check(z.meta({ type: 'integer', minimum: 0, maximum: greatestRecordId, description: 'Of one entry only' }));

/** The deepest accepted nesting, the same as for whole bodies. */
const deepestMetadata = 32;

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value nests at most so many levels; without recursion, since a text may nest deep. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestMetadata) return false;
    level = level.flatMap((member) => (typeof member === 'object' && member !== null ? Object.values(member) : []));
  }
  return true;
}

function parseMetadata(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch {
    return undefined;
  }
}

/** Metadata, an object or its JSON text; as text of an object, which keeps every key and number. */
const metadata = mapped(
  z.unknown().check(
    z.refine((value) => parseMetadata(value) !== undefined, {
      error: 'Invalid JSON: Expecting value: line 1 column 1 (char 0)',
      params: { exception: 'ValueError' },
      abort: true,
    }),
    requireInput((value) => isObject(parseMetadata(value)), "'meta' must be a dictionary."),
    requireInput((value) => isShallow(parseMetadata(value)), `'meta' nests deeper than ${deepestMetadata} levels.`),
  ),
  (value) => toJson(parseMetadata(value)),
).check(z.meta({ anyOf: [{ type: 'object' }, { type: 'string' }], description: 'An object, or its JSON text' }));

/** Body that changes an entry; unknown keys are ignored, null is absent. */
export const opendataChange = z
  .object({
    state: z.nullish(givenState),
    meta: z.nullish(metadata),
    doi: z.nullish(doi),
    record_id: z.nullish(recordId),
  })
  .check(
    z.refine(
      ({ state: given, meta, doi: name, record_id }) =>
        [given, meta, name, record_id].some((value) => value !== undefined && value !== null),
      {
        error: "Either 'state', 'meta', 'doi', or 'record_id' must be provided to update the Opendata DID.",
        params: { exception: 'InputValidationError' },
      },
    ),
  );
export type OpendataChange = z.output<typeof opendataChange>;

/** Answer to a change: the former and the new value of each part that it names. */
export const opendataChanged = z.object({
  scope: z.string(),
  name: z.string(),
  state_old: z.optional(state),
  state_new: z.optional(state),
  rule: z
    .optional(z.string())
    .check(z.meta({ description: 'Of an entry that becomes public, with the option `rule_enable`' })),
  comments: z.optional(z.string()),
  meta_new: z.optional(freeMetadata),
  doi_new: z.optional(z.string()),
  doi_old: z.optional(z.nullable(z.string())),
  record_id_new: z.optional(z.int()),
  record_id_old: z.optional(z.nullable(z.int())),
});
export type OpendataChanged = z.input<typeof opendataChanged>;
