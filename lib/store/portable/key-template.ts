import {
  decode,
  encode,
  type Key,
  newestFirst,
  readName,
  sortableTime,
  spellName,
  timeOfNewestFirst,
} from '../keys/key-parts.ts';

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

/** Stand for texts and numbers while a template is made; they are in no literal. Each way to hold a text changes the mark. */
const markOf = (field: string, index: number, kind: FieldKind) =>
  kind === 'number' ? markedNumber + index : `%{${field}}$`;
const markedNumber = 123_456_789_012_345;

type FieldKind = 'text' | 'number';

/**
 * Makes a template by building one key with marks in place of fields, so that keys are only said in `lib/store/keys`.
 *
 * @param fields Whether each field is a text or a number.
 * @param build Makes the key of an item from the fields.
 */
export function makeTemplate(fields: Readonly<Record<string, FieldKind>>, build: (fields: never) => Key): KeyTemplate {
  const marks = Object.entries(fields).map(([field, kind], index) => [field, markOf(field, index, kind)] as const);
  const { PK, SK } = build(Object.fromEntries(marks) as never);
  const parts = new Map(marks.flatMap(([field, mark]) => partsOf(field, mark)));
  const readParts = (key: string) => key.split('#').map((text) => parts.get(text) ?? readConstant(text));
  return { PK: readParts(PK), SK: readParts(SK), build };
}

/** How a key may hold a field: as it is, spelt as a name, escaped, or as a time that sorts. */
function partsOf(field: string, mark: string | number): (readonly [text: string, part: Part])[] {
  if (typeof mark === 'string') {
    return [
      [mark, { kind: 'field', field, read: String }],
      [spellName(mark), { kind: 'field', field, read: readName }],
      [encode(mark), { kind: 'field', field, read: decode }],
    ];
  }
  const number: Part = { kind: 'field', field, read: Number };
  return [
    [String(mark), number],
    [sortableTime(mark), number],
    [newestFirst(mark), { kind: 'field', field, read: timeOfNewestFirst }],
  ];
}

function readConstant(text: string): Part {
  return /^[A-Z]+$/.test(text) ? { kind: 'literal', text } : { kind: 'computed' };
}

/**
 * Reads the fields of a key.
 *
 * @returns Undefined unless the key is exactly the one that the fields make.
 */
export function readKey({ PK, SK, build }: KeyTemplate, key: Key): KeyFields | undefined {
  const found = new Map<string, string | number>();
  if (!match(PK, key.PK, found) || !match(SK, key.SK, found)) return undefined;
  const fields = Object.fromEntries(found);
  return isSame(build, fields, key) ? fields : undefined;
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
