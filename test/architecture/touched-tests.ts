import type { Import } from './imports.ts';

/** How many imports away from a test a changed file may be. Nearly all tests reach nearly all files over some more. */
const maxDistance = 2;

/** A file that belongs to the routes of one group; `did-files.test.ts` is a test of `dids`. */
const groupFile = /^(?:functions|lib\/contract|lib\/operations)\/([\w-]+?)s?(?:\.ts$|\/)/;

/**
 * The tests that changes of files touch: those that have changed themselves, those that import a changed file over few other
 * ones, and the black-box tests of its group of routes.
 *
 * @param changed Paths of changed files, relative to the project.
 * @param imports All imports of the project.
 * @param tests Paths of all test files.
 * @returns The tests to run, in the order of `tests`.
 */
export function findTouchedTests(
  changed: readonly string[],
  imports: readonly Import[],
  tests: readonly string[],
): string[] {
  const importers = Map.groupBy(imports, ({ to }) => to);
  const touched = new Set(changed);
  let level: readonly string[] = changed;
  for (let distance = 0; distance < maxDistance; distance += 1) {
    level = level.flatMap((file) => importers.get(file)?.map(({ from }) => from) ?? []);
    for (const file of level) touched.add(file);
  }
  const groups = changed.flatMap((file) => groupFile.exec(file)?.[1] ?? []);
  const isOfGroup = (test: string) =>
    groups.some((group) => new RegExp(`^test/blackbox/${group}(?:s|-[\\w-]*)?\\.test\\.ts$`).test(test));
  return tests.filter((test) => touched.has(test) || isOfGroup(test));
}
