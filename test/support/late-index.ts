import type { Range, ReadItems, Table } from '../../lib/store/batches/table.ts';
import type { Item } from '../../lib/store/items/item.ts';
import type { Store } from '../../lib/store/open-store.ts';

/**
 * A store whose index does not show some items yet.
 *
 * @param isShown Whether the index shows an item, given as text.
 * @param former Makes the old version of an item that the index still shows.
 */
export function withLateIndex(
  store: Store,
  isShown: (text: string) => boolean,
  former: (item: Item) => Item = (item) => item,
): Store {
  const show = (item: Item) => (isShown(JSON.stringify(item)) ? former(item) : undefined);
  return {
    ...store,
    table: late(store.table, show),
    begin: () => withLateIndex(store.begin(), isShown, former),
    write: (plan, options) => store.write((latest) => plan(late(latest, show)), options),
    decide: (plan, options) => store.decide((latest) => plan(late(latest, show)), options),
  };
}

function late(table: Table, show: (item: Item) => Item | undefined): Table {
  return new Proxy(table, {
    get(target, property) {
      if (property === 'latest') return () => late(target.latest(), show);
      if (property === 'query') {
        return (range: Range, read: (item: Item) => unknown = (item) => item) =>
          target.query(range, (item) => {
            const shown = range.index === 'GSI1' ? show(item) : item;
            return shown === undefined ? undefined : read(shown);
          });
      }
      if (property === 'pages') return (range: Range) => latePages(target, range, show);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The pages of a range as the index shows them; the filter of the range is applied to what it shows. */
async function* latePages(
  table: Table,
  { where, ...range }: Range,
  show: (item: Item) => Item | undefined,
): AsyncGenerator<ReadItems> {
  const isWanted = (item: Item) =>
    where === undefined || (where.oneOf as readonly unknown[]).includes(item[where.attribute]);
  for await (const { items, read } of table.pages(range)) {
    const shown = range.index === 'GSI1' ? items.flatMap((item) => show(item) ?? []) : items;
    yield { items: shown.filter(isWanted), read };
  }
}
