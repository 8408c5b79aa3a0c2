import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';

import { expect, it } from 'vitest';

import { alone, serverless } from '../support/vitest-options.ts';

// The background work of the server would store the time that the test has set, and take later tests along.
it('no test sets the clock of a process that has a server', () => {
  const setsClock = /vi\.(?:useFakeTimers|setSystemTime)\(|\bpassTime\(/;
  const setting = globSync('test/**/*.test.ts')
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => setsClock.test(readFileSync(file, 'utf8')));
  expect(setting.length).toBeGreaterThan(10);
  const apart = [...serverless, ...alone];
  expect(setting.filter((file) => !apart.some((pattern) => matchesGlob(file, pattern)))).toEqual([]);
});
