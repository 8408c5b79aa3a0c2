import type { Operation, Schema } from './document.ts';

/** An operation with the words by which a search finds it. */
interface Entry {
  readonly operation: Operation;
  /** The words of its id; the first one is the verb. */
  readonly id: readonly string[];
  /** The segments of its path that are no parameters. */
  readonly path: readonly string[];
  /** The words of its summary and its group. */
  readonly summary: readonly string[];
  /** All that stands for it in a list. */
  readonly names: string;
  /** All that is written about it. */
  readonly texts: string;
}

/** Other words for the verbs of ids. */
const synonyms: Readonly<Record<string, string>> = {
  create: 'add',
  make: 'add',
  new: 'add',
  remove: 'delete',
  change: 'update',
  edit: 'update',
  show: 'get',
  read: 'get',
  find: 'search',
};

/** How much it counts where a word was found. A word as it stands counts more than its singular or plural. */
const weights = { asWritten: 1, verb: 10, id: 9, group: 3, path: 8, summary: 6, begin: 4, name: 2, text: 1 } as const;
/** For each word of the id, and for each segment of the path, that nobody asked for. */
const unasked = 0.4;

/** Makes a search of operations by words: each must fit, those that fit best come first. */
export function makeSearch(operations: readonly Operation[]): (text: string) => readonly Operation[] {
  const entries = operations.map(indexOperation);
  return (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return operations;
    return entries
      .flatMap((entry) => {
        const scores = words.map((word) => scoreWord(entry, word));
        return scores.includes(0) ? [] : [{ entry, score: sum(scores) - penalty(entry, words) }];
      })
      .toSorted((a, b) => b.score - a.score)
      .map(({ entry }) => entry.operation);
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** How well a word fits an operation; 0: not at all. */
function scoreWord(entry: Entry, word: string): number {
  const { id, path, summary, names, texts, operation } = entry;
  if (word.startsWith('/')) {
    const whole = operation.path.toLowerCase();
    return whole === word
      ? weights.verb + weights.path
      : whole.startsWith(word)
        ? weights.path
        : Number(whole.includes(word));
  }
  const wanted = singular(word);
  const is = (one: string) => singular(one) === wanted;
  const exact = [...id, ...path].includes(word) ? weights.asWritten : 0;
  const group = path[0] !== undefined && is(path[0]) ? weights.group : 0;
  if (id[0] === word || id[0] === synonyms[word]) return weights.verb;
  if (id.some(is)) return weights.id + exact + group;
  if (path.some(is)) return weights.path + exact + group;
  if (operation.method.toLowerCase() === word || summary.some(is)) return weights.summary;
  if ([...id, ...path, ...summary].some((one) => one.startsWith(word))) return weights.begin;
  return names.includes(word) ? weights.name : Number(texts.includes(word)) * weights.text;
}

/** The deduction for words of an operation that nobody asked for. */
function penalty({ id, path }: Entry, words: readonly string[]): number {
  const wanted = new Set(words.flatMap((word) => [singular(word), singular(synonyms[word] ?? word)]));
  return [...id, ...path].filter((word) => !wanted.has(singular(word))).length * unasked;
}

const singular = (word: string) => word.replace(/ies$/, 'y').replace(/(?<=..)s$/, '');

function indexOperation(operation: Operation): Entry {
  const { id, tag, method, path, summary, description, parameters, body, answers, errors } = operation;
  const names = `${id} ${tag} ${method} ${path} ${summary}`.toLowerCase();
  const members = [body?.schema, ...answers.map(({ schema }) => schema)].flatMap((schema) => wordsOf(schema));
  const texts = [
    names,
    description,
    ...parameters.map((parameter) => `${parameter.name} ${parameter.description ?? ''}`),
    ...errors.map((error) => error.description),
    ...members,
  ];
  return {
    operation,
    id: splitWords(id.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')),
    path: splitWords(path.replaceAll(/\{\w+\}/g, ' ')),
    summary: splitWords(`${tag} ${summary}`),
    names,
    texts: texts.join(' ').toLowerCase(),
  };
}

const splitWords = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** Names of members, values and descriptions of a schema. */
function wordsOf(schema: Schema | undefined): string[] {
  if (schema === undefined) return [];
  const { description = '', enum: values = [], properties = {}, anyOf = [], allOf = [], items } = schema;
  return [
    description,
    ...values.map(String),
    ...Object.keys(properties),
    ...[...Object.values(properties), ...anyOf, ...allOf].flatMap(wordsOf),
    ...wordsOf(items),
  ];
}
