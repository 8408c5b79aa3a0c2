/**
 * Replays scenarios against a real Rucio server with an empty database and stores its answers.
 * Usage: node test/conformance/record.ts --base-url http://127.0.0.1:PORT [scenario ...]
 */
import { readArguments } from './command-line.ts';
import { writeFixture } from './fixtures.ts';
import { send } from './http.ts';
import { replay } from './replay.ts';
import type { RecordedStep } from './types.ts';

const { baseUrl, chosen } = readArguments();
const ping = JSON.parse((await send(baseUrl, 'GET', '/ping', {}, undefined)).text) as {
  version: string;
};
let total = 0;
for (const scenario of chosen) {
  const steps: RecordedStep[] = [];
  for await (const { step, answer } of replay(scenario, baseUrl)) {
    if (steps.some((earlier) => earlier.step === step.name))
      throw new Error(`${scenario.name}: two steps are called "${step.name}"`);
    steps.push({ step: step.name, as: step.as, request: `${step.method} ${step.path}`, answer });
  }
  await writeFixture(scenario, { scenario: scenario.name, server: `Rucio ${ping.version}`, steps });
  total += steps.length;
  console.log(`${scenario.name}: ${String(steps.length)}`);
}
console.log(`total: ${String(total)}`);
