/**
 * Maps elements as they come, at most `limit` at a time, and yields the results in the order in which they are ready.
 * The first failure ends it.
 */
export async function* mapParallel<T, R>(
  elements: AsyncIterable<T> | Iterable<T>,
  limit: number,
  map: (element: T) => Promise<R>,
): AsyncGenerator<R> {
  const running = new Set<Promise<{ readonly done: Promise<unknown>; readonly result: R }>>();
  const takeOne = async () => {
    const { done, result } = await Promise.race(running);
    running.delete(done as never);
    return result;
  };
  try {
    for await (const element of elements) {
      const done: Promise<{ done: Promise<unknown>; result: R }> = map(element).then((result) => ({ done, result }));
      running.add(done);
      if (running.size >= limit) yield await takeOne();
    }
    while (running.size > 0) yield await takeOne();
  } finally {
    // After a failure the others end unheard.
    await Promise.allSettled(running);
  }
}

/** Groups elements into lists of a size; the last one may be shorter. */
export async function* inChunks<T>(elements: AsyncIterable<T> | Iterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const element of elements) {
    chunk.push(element);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
