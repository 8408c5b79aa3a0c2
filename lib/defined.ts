/** An object without the members that are undefined. */
export function defined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) if (value !== undefined) kept[name] = value;
  return kept as never;
}
