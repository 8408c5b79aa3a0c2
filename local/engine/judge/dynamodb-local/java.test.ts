import { afterEach, expect, it, vi } from 'vitest';

import { findJava, parseJavaVersion } from './java.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['openjdk version "17.0.15" 2025-04-15', 17],
  ['openjdk version "21" 2023-09-19 LTS', 21],
  ['Picked up JAVA_TOOL_OPTIONS: -Xmx1g\njava version "24-ea" 2025-03-18', 24],
  ['java version "1.8.0_392"', 8],
  ['The operation couldn’t be completed. Unable to locate a Java Runtime.', undefined],
])('reads the version from %j', (output, version) => {
  expect(parseJavaVersion(output)).toBe(version);
});

it('names the remedy when there is no Java', async () => {
  vi.stubEnv('JAVA_HOME', '/nowhere');

  await expect(findJava()).rejects.toThrow(/no working Java.*openjdk-17-jre-headless.*brew.*DYNAMODB_ENDPOINT/s);
});
