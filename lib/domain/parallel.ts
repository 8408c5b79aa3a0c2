/** Asks for something of each element, at most `limit` at a time; answers in the order of the elements. */
export async function mapLimited<T, U>(
  elements: readonly T[],
  limit: number,
  ask: (element: T) => Promise<U>,
): Promise<U[]> {
  const answers: U[] = [];
  for (let start = 0; start < elements.length; start += limit) {
    answers.push(...(await Promise.all(elements.slice(start, start + limit).map(ask))));
  }
  return answers;
}
