import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { baseUrl } from '../support/run.ts';

const run = promisify(execFile);

interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands of the tour, with what the README says that they print. */
async function readTour(): Promise<Step[]> {
  const readme = await readFile('README.md', 'utf8');
  const blocks = [...readme.matchAll(/```console\n(.*?)```/gs)].map((match) => match[1] ?? '');
  return blocks
    .join('')
    .split(/^\$ /m)
    .filter(Boolean)
    .map((step) => {
      const [command = '', ...output] = step.split('\n');
      return { command, output: output.join('\n').trim() };
    });
}

describe('the README', () => {
  it('says what its tour prints, pasted line by line', async () => {
    const steps = await readTour();
    expect(steps.length).toBeGreaterThan(10);
    const mark = '== end of a step ==';
    const script = steps.map(({ command }) => `${command}\necho '${mark}'`).join('\n');
    const { stdout } = await run('bash', ['-c', script.replace('http://localhost:8080', await baseUrl())]);
    const printed = stdout.split(`${mark}\n`).slice(0, -1);
    expect(printed.map((output, index) => ({ command: steps[index]?.command, output: output.trim() }))).toEqual(steps);
  });
});
