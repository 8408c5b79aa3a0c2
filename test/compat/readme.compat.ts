import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { rootUser } from '../support/run.ts';
import { createClientHome } from './support/client-home.ts';

describe('the long tour', () => {
  it('says what the official client prints', async () => {
    const tour = await readFile('docs/tour.md', 'utf8');
    const block = /```shell-session\n(.*?)```/s.exec(tour)?.[1] ?? '';
    const steps = block.split(/^\$ rucio /m).filter(Boolean);
    expect(steps.length).toBeGreaterThan(5);
    const home = await createClientHome({ account: 'root', ...rootUser() });
    try {
      for (const step of steps) {
        const [command = '', ...output] = step.split('\n');
        const outcome = await home.rucio(...command.split(' '));
        expect({ command, printed: outcome.stdout.trim() }).toEqual({ command, printed: output.join('\n').trim() });
      }
    } finally {
      await home.remove();
    }
  });
});
