/**
 * Some rows of a list, each as likely as any other, in the order of the list; all rows where there are no more. Keeps no
 * more rows than it answers.
 *
 * @param count How many; a number below 1 answers none.
 */
export async function* drawSample<T>(rows: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  const drawn: { readonly row: T; readonly place: number }[] = [];
  let place = 0;
  for await (const row of rows) {
    const seat = place < count ? place : Math.floor(Math.random() * (place + 1));
    if (seat < count) drawn[seat] = { row, place };
    place += 1;
  }
  for (const { row } of drawn.toSorted((a, b) => a.place - b.place)) yield row;
}
