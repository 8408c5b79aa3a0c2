import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { Fixture, RecordedStep, Scenario } from './types.ts';

const FOLDER = new URL('../fixtures/rucio/', import.meta.url);

/** Reads the recorded answers of a scenario, by step name. */
export async function readFixture(scenario: Scenario): Promise<ReadonlyMap<string, RecordedStep>> {
  const fixture = JSON.parse(await readFile(fixturePath(scenario), 'utf8')) as Fixture;
  return new Map(fixture.steps.map((recorded) => [recorded.step, recorded]));
}

/** Writes the recorded answers of a scenario. */
export async function writeFixture(scenario: Scenario, fixture: Fixture): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(fixturePath(scenario), `${JSON.stringify(fixture, null, 1)}\n`);
}

function fixturePath(scenario: Scenario): string {
  return fileURLToPath(new URL(`${scenario.name}.json`, FOLDER));
}
