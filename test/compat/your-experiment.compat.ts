import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, inject, it } from 'vitest';

import { baseUrl, rootUser } from '../support/run.ts';

const run = promisify(execFile);

interface Step {
  readonly command: string;
  readonly output: string;
}

const page = 'docs/how-to/your-experiment.md';
/** More than twenty starts of the client: 9 s alone, 42 s on a busy machine. */
const timeoutMs = 180_000;
/** The block that installs the client; the test has its own. */
const installs = 'pip install';
const mark = '== end of a step ==';

/** The steps of the page: each block of `sh`, which prints nothing, and each command of a block of `console`. */
async function readSteps(): Promise<Step[]> {
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```(sh|console)\n(.*?)^```/gms)];
  return blocks.flatMap(([, kind, text = '']) => {
    if (kind === 'sh') return text.includes(installs) ? [] : [{ command: text.trim(), output: '' }];
    return text
      .split(/^\$ /m)
      .filter(Boolean)
      .map((step) => {
        const [command = '', ...output] = step.split('\n');
        return { command, output: output.join('\n').trim() };
      });
  });
}

it(
  'the how-to of an experiment says what its commands print, from the first account to the download',
  async () => {
    const steps = await readSteps();
    expect(steps.length).toBeGreaterThan(25);
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'dapple-experiment-')));
    try {
      const { username, password } = rootUser();
      const script = steps
        .map(({ command }) => `${command}\necho '${mark}'\n`)
        .join('')
        .replace('http://localhost:8080', await baseUrl())
        .replace('username = ddmlab\npassword = secret', `username = ${username}\npassword = ${password}`)
        .replace('s/ddmlab/alice/; s/secret/wonderland/', `s/${username}/alice/; s/${password}/wonderland/`);
      const { stdout } = await run('bash', ['-c', script], {
        cwd: folder,
        env: {
          PATH: `${inject('clientBin')}:${process.env['PATH']}`,
          LC_ALL: 'C.UTF-8',
          HOME: folder,
          TMPDIR: folder,
          DAPPLE: process.cwd(),
          PYTHONDONTWRITEBYTECODE: '1',
        },
      });
      const printed = stdout.split(`${mark}\n`).slice(0, -1);
      const asOnThePage = (text: string) =>
        text
          .trim()
          .replaceAll(folder, '/home/you/exp26')
          .replaceAll(/^[0-9a-f]{32}$/gm, '0123456789abcdef0123456789abcdef');
      expect(printed.map((output, index) => ({ command: steps[index]?.command, output: asOnThePage(output) }))).toEqual(
        steps,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  timeoutMs,
);
