import { rowsFrom } from './map-rows.ts';
import { type ReadyRows, type RowSource, sourceOf } from './ready-rows.ts';

/** The rows of several lists, one list after the other; each is made when it is its turn. */
export function chainRows<T>(lists: Iterable<AsyncIterable<T>>): ReadyRows<T> {
  const rest = lists[Symbol.iterator]();
  const end: IteratorReturnResult<undefined> = { value: undefined, done: true };
  let source: RowSource<T> | undefined;
  const openNext = () => {
    const list = rest.next();
    return list.done === true ? undefined : sourceOf(list.value);
  };
  return rowsFrom({
    take: () => source?.take?.(),
    next: async () => {
      for (source ??= openNext(); source !== undefined; source = openNext()) {
        const next = await source.next();
        if (next.done !== true) return next;
      }
      return end;
    },
    return: async () => {
      rest.return?.();
      await source?.return?.();
      return end;
    },
  });
}
