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

/** The commands of a tour, with what the document says that they print. */
async function readTour(path: string): Promise<Step[]> {
  const text = await readFile(path, 'utf8');
  const blocks = [...text.matchAll(/```console\n(.*?)```/gs)].map((match) => match[1] ?? '');
  return blocks
    .join('')
    .split(/^\$ /m)
    .filter(Boolean)
    .map((step) => {
      const [command = '', ...output] = step.split('\n');
      return { command, output: output.join('\n').trim() };
    });
}

describe('a tour', () => {
  it.each(['README.md', 'docs/tour.md'])('in %s says what it prints, pasted line by line', async (path) => {
    const steps = await readTour(path);
    expect(steps.length).toBeGreaterThan(10);
    const mark = '== end of a step ==';
    const script = steps.map(({ command }) => `${command}\necho '${mark}'`).join('\n');
    const { stdout } = await run('bash', ['-c', script.replace('http://localhost:8080', await baseUrl())]);
    const printed = stdout.split(`${mark}\n`).slice(0, -1);
    expect(printed.map((output, index) => ({ command: steps[index]?.command, output: output.trim() }))).toEqual(steps);
  });
});
