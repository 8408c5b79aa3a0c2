import type { Operation, Schema } from './document.ts';

/** Texts of an operation in which a search looks: its names weigh more than what is written about it. */
interface Entry {
  readonly operation: Operation;
  readonly names: string;
  readonly texts: string;
}

/** Makes a search of operations by words. */
export function makeSearch(operations: readonly Operation[]): (text: string) => readonly Operation[] {
  const entries = operations.map(indexOperation);
  return (text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return operations;
    const fits = (where: (entry: Entry) => string) => (entry: Entry) =>
      words.every((word) => where(entry).includes(word));
    const named = entries.filter(fits(({ names }) => names));
    const others = entries.filter(fits(({ texts }) => texts)).filter((entry) => !named.includes(entry));
    return [...named, ...others].map(({ operation }) => operation);
  };
}

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
  return { operation, names, texts: texts.join(' ').toLowerCase() };
}

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
