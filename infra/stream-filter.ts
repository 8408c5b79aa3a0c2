/** What a record has to be like: at some depth a list of values, or of beginnings; the form of Lambda's event filters. */
export type StreamFilter = {
  readonly [name: string]: StreamFilter | readonly (string | { readonly prefix: string })[];
};

/** Records that say of lengthy work: notes, and collections that may be new. */
export const lengthyWork: readonly StreamFilter[] = [
  { dynamodb: { Keys: { PK: { S: [{ prefix: 'WORK#' }] } } } },
  { dynamodb: { NewImage: { type: { S: ['DATASET', 'CONTAINER'] } } } },
];

/** Whether a record is one of those that a filter lets pass. */
export function passes(record: unknown, filter: StreamFilter): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const found = typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[name] : undefined;
    if (!isChoices(wanted)) return passes(found, wanted);
    return wanted.some((choice) =>
      typeof choice === 'string' ? found === choice : typeof found === 'string' && found.startsWith(choice.prefix),
    );
  });
}

function isChoices(wanted: StreamFilter[string]): wanted is readonly (string | { readonly prefix: string })[] {
  return Array.isArray(wanted);
}
