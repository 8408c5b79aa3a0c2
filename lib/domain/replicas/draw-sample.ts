/**
 * A random sample of the rows of a list, in the order of the list (reservoir sampling). Keeps at most `count` rows in
 * memory.
 *
 * @param count Size of the sample; a number below 1 gives none.
 */
export async function* drawSample<T>(rows: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  const drawn: { readonly row: T; readonly place: number }[] = [];
  let place = 0;
  for await (const row of rows) {
    const slot = place < count ? place : Math.floor(Math.random() * (place + 1));
    if (slot < count) drawn[slot] = { row, place };
    place += 1;
  }
  for (const { row } of drawn.toSorted((a, b) => a.place - b.place)) yield row;
}
