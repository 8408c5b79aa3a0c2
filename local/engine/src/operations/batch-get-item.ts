import { Consumption, readUnits, type CapacityDetail } from '../capacity.ts';
import { validationError } from '../errors.ts';
import { type Output, printOutput, RawJson, StoredPart, StoredParts, StoredTexts } from '../json.ts';
import { showStored } from '../reading/item-view.ts';
import { type AttributeValue, contentOf, type Item, typeOf } from '../values/attribute-value.ts';
import { printItem } from '../values/item-text.ts';
import { type KeyBytes, readKey } from '../values/key.ts';
import { bindingsOf, readItemView, type WithProjection } from './inputs.ts';
import { reading } from './operation.ts';

interface KeysOfTable extends WithProjection {
  readonly Keys: readonly Item[];
  readonly ConsistentRead?: boolean;
}

interface BatchGetItemInput {
  readonly RequestItems: Readonly<Record<string, KeysOfTable>>;
  readonly ReturnConsumedCapacity?: CapacityDetail;
}

/** The largest answer; further keys are returned as unprocessed. */
const maxAnswerBytes = 16 * 2 ** 20;

export const batchGetItem = reading(({ storage }, input: BatchGetItemInput): Output => {
  const wanted = Object.entries(input.RequestItems).map(([name, request]) => {
    const bindings = bindingsOf(request);
    const shown = readItemView(request, bindings);
    bindings.requireAllUsed();
    return { name, request, shown };
  });
  for (const { request } of wanted) requireDifferentKeys(request.Keys);
  const addressed = wanted.map(({ name, request, shown }) => {
    const table = storage.tables.get(name);
    const keys = request.Keys.map((key) => ({ key, bytes: readKey(key, table.keys) }));
    requireDistinct(keys.map(({ bytes }) => bytes));
    return { name, request, shown, table, keys };
  });
  const consumption = new Consumption();
  const found: [string, StoredTexts][] = [];
  const unprocessed: [string, UnprocessedKeys][] = [];
  let bytes = 0;
  for (const { name, request, shown, table, keys } of addressed) {
    const texts: string[] = [];
    const open: Item[] = [];
    for (const { key, bytes: place } of keys) {
      const stored = storage.items.get(table.id, place);
      if (bytes + (stored?.size ?? 0) > maxAnswerBytes) {
        open.push(key);
        continue;
      }
      bytes += stored?.size ?? 0;
      consumption.addRead(table, readUnits(stored?.size ?? 0, request.ConsistentRead === true));
      if (stored !== undefined) texts.push(showStored(stored, shown));
    }
    found.push([table.name, new StoredTexts(texts)]);
    if (open.length > 0) unprocessed.push([name, new UnprocessedKeys(request, open)]);
  }
  return {
    Responses: new StoredParts(found),
    UnprocessedKeys: new StoredParts(unprocessed),
    ConsumedCapacity: consumption.list(input.ReturnConsumedCapacity),
  };
});

/** The keys of a table that an answer has no place for, with what else was asked of the table. */
class UnprocessedKeys extends StoredPart {
  readonly #request: KeysOfTable;
  readonly #keys: StoredTexts;

  constructor(request: KeysOfTable, keys: readonly Item[]) {
    super();
    this.#request = request;
    this.#keys = new StoredTexts(keys.map(printItem));
  }

  get texts(): readonly string[] {
    return this.#keys.texts;
  }

  print(show: (text: string) => string): string {
    const { Keys: _Keys, ...others } = this.#request;
    return printOutput({ ...others, Keys: new RawJson(this.#keys.print(show)) }).body;
  }
}

/** @throws ValidationException for a repeated key, even if the table does not exist. */
function requireDifferentKeys(keys: readonly Item[]): void {
  if (keys.length > 1 && new Set(keys.map(identify)).size < keys.length) throw duplicates();
}

/** A text that is equal exactly for equal keys. */
function identify(key: Item): string {
  let text = '';
  for (const name of Object.keys(key).sort()) {
    const value = key[name] as AttributeValue;
    const content = contentOf(value);
    const shown = typeof content === 'string' ? content : JSON.stringify(content);
    // Lengths separate names and contents unambiguously.
    text += `${name.length} ${name} ${typeOf(value)} ${shown.length} ${shown} `;
  }
  return text;
}

const duplicates = () => validationError('Provided list of item keys contains duplicates');

/** @throws ValidationException for a repeated key. */
export function requireDistinct(keys: readonly KeyBytes[]): void {
  const seen = new Set<string>();
  for (const { hash, range } of keys) {
    const text = `${hash.length} ${hash.toString('latin1')} ${range.toString('latin1')}`;
    if (seen.has(text)) throw duplicates();
    seen.add(text);
  }
}
