import { rowsFrom } from './map-rows.ts';
import { type ReadyRows, type RowSource, sourceOf } from './ready-rows.ts';

/** The rows of a list that is opened when its first row is taken. */
export function openLater<T>(open: () => Promise<AsyncIterable<T> | Iterable<T>>): ReadyRows<T> {
  let source: RowSource<T> | undefined;
  let isClosed = false;
  const close = async (): Promise<IteratorReturnResult<undefined>> => {
    isClosed = true;
    await source?.return?.();
    return { value: undefined, done: true };
  };
  return rowsFrom({
    take: () => source?.take?.(),
    next: async () => {
      source ??= sourceOf(await open());
      return isClosed ? close() : source.next();
    },
    return: close,
  });
}
