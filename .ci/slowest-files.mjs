// Prints the ten slowest test files of a JSON report of vitest: node .ci/slowest-files.mjs <report>
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const files = testResults.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }));
console.log('the ten slowest test files, in seconds:');
for (const { name, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)) {
  console.log(`${seconds.toFixed(1).padStart(7)}  ${relative(process.cwd(), name)}`);
}
