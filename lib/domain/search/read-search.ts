import type { DidType } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { type Literal, readLiteral } from './python-literal.ts';
import { type Criterion, readCriterion } from './read-criterion.ts';

/** Conditions that a DID has to fit all of. */
export interface FilterGroup {
  readonly types: ReadonlySet<DidType>;
  /** Conditions on the name, which a descent replaces by the names of the content. */
  readonly name: readonly Criterion[];
  readonly others: readonly Criterion[];
}

/** The query parameters that are not conditions. */
const options: ReadonlySet<string> = new Set(['type', 'limit', 'cursor', 'long', 'recursive', 'filters', 'explain']);

/** The types that a word of the interface stands for (spec/dids.md 3.4). */
const typeWords = new Map<string, readonly DidType[]>([
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
 * @returns Groups of conditions, of which a DID has to fit one.
 * @throws DIDFilterSyntaxError (400); KeyNotFound (404); UnsupportedOperation (409) for an unknown type.
 */
export function readSearch(parameters: Readonly<Record<string, string>>): FilterGroup[] {
  const { type = 'collection', filters } = parameters;
  readTypes(type);
  const given = filters === undefined ? [conditionsOf(parameters)] : readFilters(filters);
  return given.map((group) => readGroup(group, type));
}

function conditionsOf(parameters: Readonly<Record<string, string>>): Record<string, Literal> {
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => !options.has(key)));
}

function readFilters(text: string): Record<string, Literal>[] {
  const literal = parse(text);
  const groups = Array.isArray(literal) ? literal : [literal];
  if (groups.length > mostGroups) fail('DIDFilterSyntaxError', `More than ${mostGroups} groups of filters.`);
  const checked = groups.map((group) =>
    typeof group === 'object' && group !== null && !Array.isArray(group)
      ? group
      : fail('DIDFilterSyntaxError', 'A group of filters must be a dictionary.'),
  );
  return checked.length === 0 ? [{}] : checked;
}

/** Each group is a query of its own. */
const mostGroups = 32;

function parse(text: string): Literal {
  try {
    return readLiteral(text);
  } catch (error) {
    return fail('DIDFilterSyntaxError', `The filters are no literal: ${(error as Error).message}.`);
  }
}

function readGroup(group: Readonly<Record<string, Literal>>, type: string): FilterGroup {
  const { type: ownType, ...conditions } = group;
  const criteria = Object.entries(conditions).flatMap(([key, value]) => readCriterion(key, value) ?? []);
  const word = typeof ownType === 'string' ? ownType : type;
  // The official client always sends `collection`, and Rucio ignores it where free metadata is searched for.
  const everyType = word === 'collection' && criteria.some(({ column }) => column === undefined);
  return {
    types: readTypes(everyType ? 'all' : word),
    name: criteria.filter(({ key }) => key === 'name'),
    others: criteria.filter(({ key }) => key !== 'name'),
  };
}

function readTypes(word: string): ReadonlySet<DidType> {
  const types = typeWords.get(word.toLowerCase());
  if (types !== undefined) return new Set(types);
  const valid = typeWords.keys().map((known) => `'${known}'`);
  return fail(
    'UnsupportedOperation',
    `${word} is not a valid type. Valid types are dict_keys([${[...valid].join(', ')}])`,
  );
}
