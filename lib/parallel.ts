/** Runs a task for each element, at most `limit` at a time. The first failure stops the rest and is thrown. */
export async function forEachLimited<T>(
  elements: readonly T[],
  limit: number,
  task: (element: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const work = async () => {
    while (next < elements.length && !failed) {
      const element = elements[next] as T;
      next += 1;
      try {
        await task(element);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(limit, elements.length) }, work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Maps each element asynchronously, at most `limit` at a time, in the order of the elements. */
export async function mapLimited<T, U>(
  elements: readonly T[],
  limit: number,
  ask: (element: T) => Promise<U>,
): Promise<U[]> {
  const answers: U[] = [];
  await forEachLimited([...elements.entries()], limit, async ([index, element]) => {
    answers[index] = await ask(element);
  });
  return answers;
}
