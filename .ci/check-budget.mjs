// Compares the processor time of `npm test` with that of the reference work on the same machine, and prints the ten slowest test
// files: node .ci/check-budget.mjs <report of vitest> <file with the times of the tests> <files with those of the reference work>
// The speed of a shared machine changes within minutes, so the reference work is measured more than once; its mean counts.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * How many times the processor time of the reference work the tests may take. They took two thirds of it when it was set. Make
 * what is new cheap before you raise it: one set-up for several rules, a small volume (test/support/volume.ts), no process.
 */
const budget = 130;

const [report, testTimes, ...referenceTimes] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'));

/** Seconds of user and system time, as bash prints them with TIMEFORMAT='%U %S'. */
const seconds = (times) =>
  times
    .trim()
    .split('\n')
    .at(-1)
    .split(' ')
    .reduce((sum, part) => sum + Number(part), 0);

const files = JSON.parse(report).testResults.map(({ name, startTime, endTime }) => ({
  name,
  seconds: (endTime - startTime) / 1000,
}));
console.log('the ten slowest test files, in seconds:');
for (const { name, seconds: taken } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)) {
  console.log(`${taken.toFixed(1).padStart(7)}  ${relative(process.cwd(), name)}`);
}
const tests = seconds(testTimes);
const reference = referenceTimes.reduce((sum, times) => sum + seconds(times), 0) / referenceTimes.length;
const ratio = tests / reference;
console.log(
  `processor time: tests ${tests.toFixed(1)} s, reference work ${reference.toFixed(1)} s, ratio ${ratio.toFixed(1)} ` +
    `of at most ${budget}`,
);
if (!(ratio <= budget)) {
  console.error('The tests take more processor time than their budget in .ci/check-budget.mjs.');
  process.exitCode = 1;
}
