/** Shuffles elements in place (Fisher-Yates). */
export function shuffle<T>(elements: T[]): T[] {
  for (let last = elements.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [elements[last], elements[other]] = [elements[other] as T, elements[last] as T];
  }
  return elements;
}
