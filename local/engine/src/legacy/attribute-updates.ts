import { validationError } from '../errors.ts';
import { addTo, deleteFrom, membersOf } from '../expressions/update-values.ts';
import type { Update } from '../expressions/update.ts';
import { attributeOf, type AttributeValue, emptyItem, type Item, typeOf } from '../values/attribute-value.ts';

/** A change of one attribute. */
export interface AttributeUpdate {
  /** Default: PUT. */
  readonly Action?: 'PUT' | 'ADD' | 'DELETE' | undefined;
  readonly Value?: AttributeValue | undefined;
}

/** An AttributeUpdates parameter: changes by attribute names. */
export type AttributeUpdates = Readonly<Record<string, AttributeUpdate>>;

/** The update of a valid AttributeUpdates parameter. */
export function updateOfAttributeUpdates(updates: AttributeUpdates): Update {
  const changes = Object.entries(updates);
  const apply = (item: Item) => {
    const result = Object.assign(emptyItem(), item);
    for (const [name, update] of changes) {
      const value = change(attributeOf(item, name), update);
      if (value === undefined) delete result[name];
      else result[name] = value;
    }
    return result;
  };
  return {
    apply,
    paths: changes.map(([name]) => [name]),
    types: changes.map(([, { Value }]) => (Value === undefined ? undefined : typeOf(Value))),
    reads: [],
  };
}

/** The new value of an attribute; undefined removes it. */
function change(
  old: AttributeValue | undefined,
  { Action = 'PUT', Value }: AttributeUpdate,
): AttributeValue | undefined {
  if (Value === undefined || Action === 'PUT') return Value;
  if (Action === 'ADD') {
    // Unlike ADD in expressions, this one appends to lists.
    if (old !== undefined && 'L' in old && 'L' in Value) return { L: [...old.L, ...Value.L] };
    return addTo(old, Value) ?? fail();
  }
  if (old === undefined) return undefined;
  const left = deleteFrom(old, Value) ?? fail();
  return membersOf(left).length === 0 ? undefined : left;
}

function fail(): never {
  throw validationError('Type mismatch for attribute to update');
}
