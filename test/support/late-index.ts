import type { Store } from '../../lib/store/open-store.ts';
import type { Range, Table } from '../../lib/store/table.ts';

/**
 * A store whose index does not show some items yet.
 *
 * @param isShown Says of the text of an item whether the index shows it by now.
 */
export function withLateIndex(store: Store, isShown: (text: string) => boolean): Store {
  return {
    ...store,
    table: late(store.table, isShown),
    begin: () => withLateIndex(store.begin(), isShown),
    write: (plan, options) => store.write((latest) => plan(late(latest, isShown)), options),
    decide: (plan, options) => store.decide((latest) => plan(late(latest, isShown)), options),
  };
}

function late(table: Table, isShown: (text: string) => boolean): Table {
  return new Proxy(table, {
    get(target, property) {
      if (property === 'latest') return () => late(target.latest(), isShown);
      if (property === 'query') {
        return async function* (range: Range) {
          for await (const item of target.query(range)) {
            if (range.index !== 'GSI1' || isShown(JSON.stringify(item))) yield item;
          }
        };
      }
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
