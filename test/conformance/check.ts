/**
 * Replays scenarios against any server and prints where its answers differ from the recorded ones.
 * Usage: node test/conformance/check.ts --base-url URL [scenario ...]
 * The exit code is 1 when anything differs.
 */
import { readArguments } from './command-line.ts';
import { compareAnswers } from './compare.ts';
import { readFixture } from './fixtures.ts';
import { replay } from './replay.ts';

const { baseUrl, chosen } = readArguments();
let requests = 0;
let failed = 0;
for (const scenario of chosen) {
  const recorded = await readFixture(scenario);
  for await (const { step, answer } of replay(scenario, baseUrl)) {
    const expected = recorded.get(step.name);
    const findings = expected === undefined ? ['never recorded'] : compareAnswers(step, expected.answer, answer);
    requests += 1;
    if (findings.length === 0) continue;
    failed += 1;
    console.log(`${scenario.name}: ${step.name}\n  ${step.as} ${step.method} ${step.path}\n  ${findings.join('\n  ')}`);
  }
}
console.log(`${String(requests)} requests, ${String(failed)} differ`);
process.exitCode = failed === 0 ? 0 : 1;
