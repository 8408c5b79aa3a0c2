import { Bindings } from '../../src/expressions/bindings.ts';
import { compileCondition } from '../../src/expressions/condition.ts';
import { compileUpdate } from '../../src/expressions/update.ts';
import type { AttributeValue, Item } from '../../src/values/attribute-value.ts';

/** One value of each type, by its name in the tests. */
export const valueOfType: Record<string, AttributeValue> = {
  ':S': { S: 'a' },
  ':N': { N: '1' },
  ':B': { B: 'YQ==' },
  ':BOOL': { BOOL: true },
  ':NULL': { NULL: true },
  ':SS': { SS: ['a'] },
  ':NS': { NS: ['1'] },
  ':BS': { BS: ['YQ=='] },
  ':L': { L: [] },
  ':M': { M: {} },
};

/** Bindings of the `#name`s in a text, each for its own name, and of the given values that it uses. */
export function bindingsFor(text: string, values: Record<string, AttributeValue> = valueOfType): Bindings {
  const names = [...new Set(text.match(/#\w+/g))].map((alias) => [alias, alias.slice(1)]);
  const used = [...new Set(text.match(/:\w+/g))].filter((name) => Object.hasOwn(values, name));
  return new Bindings(
    names.length === 0 ? undefined : Object.fromEntries(names),
    used.length === 0 ? undefined : Object.fromEntries(used.map((name) => [name, values[name] as AttributeValue])),
  );
}

/** Whether a condition is true for an item. */
export function test(text: string, item: Item | undefined, values?: Record<string, AttributeValue>): boolean {
  return compileCondition(text, 'FilterExpression', bindingsFor(text, values)).test(item);
}

/** The result of an update of an item. */
export function update(text: string, item: Item, values?: Record<string, AttributeValue>): Item {
  return compileUpdate(text, bindingsFor(text, values)).apply(item);
}
