import type { DidType } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { type Literal, readLiteral } from '../../python/literal.ts';
import { type Criterion, readAlternatives, readCriterion } from './read-criterion.ts';

/** Conditions that a DID must all meet. */
export interface FilterGroup {
  readonly types: ReadonlySet<DidType>;
  /** Conditions on the name. They do not apply to the content of a recursive search. */
  readonly name: readonly Criterion[];
  readonly others: readonly Criterion[];
}

/** The query parameters that are not conditions. */
const optionNames: ReadonlySet<string> = new Set([
  'type',
  'limit',
  'cursor',
  'long',
  'recursive',
  'filters',
  'explain',
]);

/** The DID types of each value of `type` (spec/dids.md 3.4). */
const typesByWord = new Map<string, readonly DidType[]>([
  ['all', ['CONTAINER', 'DATASET', 'FILE']],
  ['collection', ['CONTAINER', 'DATASET']],
  ['container', ['CONTAINER']],
  ['dataset', ['DATASET']],
  ['file', ['FILE']],
]);

/**
 * Reads a search from its query parameters: either `filters`, or every parameter that is not an option as one condition
 * (spec/dids.md 3.1).
 *
 * @returns Groups of conditions. A DID must match one of them.
 * @throws DIDFilterSyntaxError (400); KeyNotFound (404); UnsupportedOperation (409) for an unknown type.
 */
export function readSearch(parameters: Readonly<Record<string, string>>): FilterGroup[] {
  const { type = 'collection', filters } = parameters;
  readTypes(type);
  const given = filters === undefined ? [pickConditions(parameters)] : readFilters(filters);
  const groups = given.flatMap(splitAlternatives);
  if (groups.length > maxGroups) fail('DIDFilterSyntaxError', `More than ${maxGroups} groups of filters.`);
  return groups.map((group) => readGroup(group, type));
}

/** The entries of a group. Two may have the same key, once `.in` is replaced. */
type Entries = readonly (readonly [entry: string, value: Literal])[];

/**
 * Replaces the entries `.in` of a group: the result is one group for each combination of their values. It stops at one group more
 * than allowed, which the caller refuses.
 */
function splitAlternatives(group: Readonly<Record<string, Literal>>): Entries[] {
  let groups: Entries[] = [[]];
  for (const [entry, value] of Object.entries(group)) {
    const alternatives = readAlternatives(entry, value) ?? [[entry, value] as const];
    groups = groups.flatMap((one) => alternatives.map((each) => one.concat([each]))).slice(0, maxGroups + 1);
  }
  return groups;
}

function pickConditions(parameters: Readonly<Record<string, string>>): Record<string, Literal> {
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => !optionNames.has(key)));
}

function readFilters(text: string): Record<string, Literal>[] {
  const literal = parse(text);
  const groups = Array.isArray(literal) ? literal : [literal];
  if (groups.length > maxGroups) fail('DIDFilterSyntaxError', `More than ${maxGroups} groups of filters.`);
  const checked = groups.map((group) =>
    typeof group === 'object' && group !== null && !Array.isArray(group)
      ? group
      : fail('DIDFilterSyntaxError', 'A group of filters must be a dictionary.'),
  );
  return checked.length === 0 ? [{}] : checked;
}

/** Each group is a query of its own. */
const maxGroups = 32;

function parse(text: string): Literal {
  try {
    return readLiteral(text);
  } catch (error) {
    return fail('DIDFilterSyntaxError', `The filters are no literal: ${(error as Error).message}.`);
  }
}

function readGroup(entries: Entries, type: string): FilterGroup {
  const [, ownType] = entries.find(([entry]) => entry === 'type') ?? [];
  const conditions = entries.filter(([entry]) => entry !== 'type');
  const criteria = conditions.flatMap(([entry, value]) => readCriterion(entry, value) ?? []);
  const word = typeof ownType === 'string' ? ownType : type;
  // The official client always sends `collection`. Rucio ignores it in a search for free metadata.
  const everyType = word === 'collection' && criteria.some(({ column }) => column === undefined);
  return {
    types: readTypes(everyType ? 'all' : word),
    name: criteria.filter(({ key }) => key === 'name'),
    others: criteria.filter(({ key }) => key !== 'name'),
  };
}

function readTypes(word: string): ReadonlySet<DidType> {
  const types = typesByWord.get(word.toLowerCase());
  if (types !== undefined) return new Set(types);
  const valid = typesByWord.keys().map((known) => `'${known}'`);
  return fail(
    'UnsupportedOperation',
    `${word} is not a valid type. Valid types are dict_keys([${[...valid].join(', ')}])`,
  );
}
