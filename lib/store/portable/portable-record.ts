import { goneAttribute, internalAttributes, type Item, stagedPrefix } from '../items/item.ts';
import { tableDefinition } from '../items/table-definition.ts';
import { hasPrefix, part } from '../keys/key-parts.ts';
import { ruleItems } from '../keys/rule-keys.ts';
import { type ItemKind, itemKinds } from './item-kinds.ts';
import { type KeyFields, readKey } from './key-template.ts';
import { rawKindOf, rawKinds } from './raw-kinds.ts';

/** An item outside of the table: its key in words, its attributes, and the keys of its places in the table's indexes. */
export interface PortableRecord {
  readonly key: KeyFields;
  readonly item: Readonly<Record<string, unknown>>;
  readonly index?: Readonly<Record<string, unknown>>;
}

const indexAttributes = new Set<string>(
  tableDefinition.indexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
);

/** Attributes that belong to bulk requests, not to the content. */
const volatile = new Set(['batch', goneAttribute, ...internalAttributes]);

/** Attributes of tasks that belong to the process which runs them: nobody runs those of a copy. */
const volatileOfTasks = new Set(['leasedUntil', 'movedAt']);

const isVolatile = (attribute: string) => volatile.has(attribute) || attribute.startsWith(stagedPrefix);

/** Makes the record of an item as a reader sees it; `kind` names the file that it belongs to. */
export function toRecord(item: Item): { readonly kind: string; readonly record: PortableRecord } {
  const { name, key } = describeKey(item);
  const attributes: Record<string, unknown> = {};
  const index: Record<string, unknown> = {};
  const isTask = hasPrefix(item, ruleItems.work);
  for (const [attribute, value] of Object.entries(item)) {
    if (attribute === 'PK' || attribute === 'SK' || isVolatile(attribute)) continue;
    if (isTask && volatileOfTasks.has(attribute)) continue;
    (indexAttributes.has(attribute) ? index : attributes)[attribute] = value;
  }
  return { kind: name, record: { key, item: attributes, ...(Object.keys(index).length === 0 ? {} : { index }) } };
}

/** The kinds by the first part of their partition keys, so that a key is not compared with all of them. */
const kindsByPrefix = Map.groupBy(itemKinds, ({ template: { PK } }) => (PK[0]?.kind === 'literal' ? PK[0].text : ''));

function describeKey({ PK, SK }: Item): { name: string; key: KeyFields } {
  for (const { name, template } of kindsByPrefix.get(part(PK, 0)) ?? []) {
    const key = readKey(template, { PK, SK });
    if (key !== undefined) return { name, key };
  }
  return { name: rawKindOf({ PK, SK }), key: { PK, SK } };
}

const kindsByName = new Map<string, ItemKind>(itemKinds.map((kind) => [kind.name, kind]));

/**
 * Makes the item of a record.
 *
 * @throws Error if there is no such kind of items.
 */
export function toItem(kind: string, { key, item, index = {} }: PortableRecord): Item {
  if (rawKinds.has(kind)) return { ...item, ...index, PK: String(key['PK']), SK: String(key['SK']) };
  const template = kindsByName.get(kind)?.template;
  if (template === undefined) throw new Error(`there is no kind of items ${kind}`);
  return { ...item, ...index, ...template.build(key as never) };
}
