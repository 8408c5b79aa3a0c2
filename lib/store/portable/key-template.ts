import { decode, type Key, newestFirst, sortableTime, timeOfNewestFirst } from '../keys/key-parts.ts';

/** The parts of a key under names, such as `{ scope, name }`; times and other numbers are numbers. */
export type KeyFields = Readonly<Record<string, string | number>>;

/** How a part of a key is read. */
type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'field'; readonly field: string; readonly read: (text: string) => string | number }
  /** Computed from fields, such as a shard. */
  | { readonly kind: 'computed' };

/** The format of the keys of a kind of item. */
export interface KeyTemplate {
  readonly PK: readonly Part[];
  readonly SK: readonly Part[];
  readonly build: (fields: never) => Key;
}

/** Stands for numbers while a template is made; it is in no literal. */
const markedNumber = 123_456_789_012_345;

const markOf = (field: string) => `{${field}}`;

/**
 * Makes a template by building one key with marks in place of fields, so that keys are only said in `lib/store/keys`.
 *
 * @param fields Whether each field is a text or a number.
 * @param build Makes the key of an item from the fields.
 */
export function makeTemplate(
  fields: Readonly<Record<string, 'text' | 'number'>>,
  build: (fields: never) => Key,
): KeyTemplate {
  const marked = Object.fromEntries(
    Object.entries(fields).map(([field, kind]) => [field, kind === 'number' ? markedNumber : markOf(field)]),
  );
  const { PK, SK } = build(marked as never);
  const numbered = Object.keys(fields).find((field) => fields[field] === 'number') ?? '';
  return { PK: readParts(PK, fields, numbered), SK: readParts(SK, fields, numbered), build };
}

function readParts(key: string, fields: Readonly<Record<string, unknown>>, numbered: string): Part[] {
  return key.split('#').map((text): Part => {
    const field = text.slice(1, -1);
    if (text === markOf(field) && field in fields) return { kind: 'field', field, read: String };
    if (text === String(markedNumber) || text === sortableTime(markedNumber)) {
      return { kind: 'field', field: numbered, read: Number };
    }
    if (text === newestFirst(markedNumber)) return { kind: 'field', field: numbered, read: timeOfNewestFirst };
    return /^[A-Z]+$/.test(text) ? { kind: 'literal', text } : { kind: 'computed' };
  });
}

/**
 * Reads the fields of a key.
 *
 * @returns Undefined unless the key is exactly the one that the fields make.
 */
export function readKey({ PK, SK, build }: KeyTemplate, key: Key): KeyFields | undefined {
  const found = new Map<string, string | number>();
  if (!match(PK, key.PK, found) || !match(SK, key.SK, found)) return undefined;
  const plain = Object.fromEntries(found);
  if (isSame(build, plain, key)) return plain;
  // Texts that may hold any character are escaped in keys.
  const decoded = Object.fromEntries(
    [...found].map(([field, value]) => [field, typeof value === 'string' ? decode(value) : value]),
  );
  return isSame(build, decoded, key) ? decoded : undefined;
}

function isSame(build: KeyTemplate['build'], fields: KeyFields, key: Key): boolean {
  try {
    const { PK, SK } = build(fields as never);
    return PK === key.PK && SK === key.SK;
  } catch {
    return false;
  }
}

function match(parts: readonly Part[], key: string, found: Map<string, string | number>): boolean {
  const texts = key.split('#');
  if (texts.length !== parts.length) return false;
  return parts.every((part, index) => {
    const text = texts[index] ?? '';
    if (part.kind === 'literal') return text === part.text;
    if (part.kind === 'field') found.set(part.field, part.read(text));
    return true;
  });
}
