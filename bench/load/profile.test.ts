import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { describe, expect, it } from 'vitest';

import { threadSeconds } from './processor-time.ts';
import { sharesOfFunctions, sharesOfParts } from './profile-parts.ts';
import { Profiler } from './profiler.ts';

const root = new URL('../../', import.meta.url).href;
const frames: readonly (readonly [functionName: string, url: string])[] = [
  ['(root)', ''],
  ['(idle)', ''],
  ['(garbage collector)', ''],
  ['toEdge', `${root}lib/store/entities/edge.ts`],
  ['run', ''],
  ['write', 'node:internal/streams/writable'],
  ['send', `${root}node_modules/@smithy/core/dist-cjs/index.js`],
];

/** Samples of the functions by their position; each lasts a millisecond. All are called by the root, `run` by `toEdge`. */
function profileOf(samples: readonly number[]) {
  const nodes = frames.map(([functionName, url], id) => ({
    id,
    callFrame: { functionName, url, lineNumber: 4 },
    children: id === 0 ? [1, 2, 3, 5, 6] : id === 3 ? [4] : [],
  }));
  return { nodes, samples: [...samples, 1], timeDeltas: [0, ...samples.map(() => 1_000)] };
}

describe('bench:cpu', () => {
  it('adds up time by folder, package, module of Node and state, and leaves idle time out', () => {
    const shares = sharesOfParts(profileOf([3, 3, 1, 4, 2, 5, 6, 6, 1, 1, 1, 3]));
    expect([...shares]).toEqual([
      ['lib/store/entities', 3 / 8],
      ['@smithy/core', 2 / 8],
      ['native, called by lib/store/entities', 1 / 8],
      ['garbage collection', 1 / 8],
      ['Node: streams', 1 / 8],
    ]);
  });

  it('names functions with their file and line', () => {
    const shares = sharesOfFunctions(profileOf([3, 5, 5]));
    expect([...shares.keys()]).toEqual([
      'write node:internal/streams/writable:5',
      'toEdge lib/store/entities/edge.ts:5',
    ]);
  });

  it('profiles another process while it runs', async () => {
    const program =
      "const spin = () => { for (let i = 0; i < 1e8; i += 1); }; process.stdin.once('data', () => { spin(); console.log('done'); });";
    const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', '--eval', program], { stdio: 'pipe' });
    try {
      const [line] = (await once(createInterface({ input: child.stderr }), 'line')) as [string];
      const profiler = await Profiler.connect([line]);
      await profiler.start();
      child.stdin.write('begin');
      await once(child.stdout, 'data');
      const functions = [...sharesOfFunctions(await profiler.stop()).keys()];
      profiler.close();
      expect(functions.filter((name) => name.startsWith('spin '))).toHaveLength(1);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it.runIf(process.platform === 'linux')('tells the time of workers from that of the main thread', async () => {
    const program = "new (require('node:worker_threads').Worker)('for (;;);', { eval: true });";
    const child = spawn(process.execPath, ['--eval', program]);
    const findExcess = () => {
      const { main, workers } = threadSeconds(child.pid ?? 0);
      return workers - main;
    };
    try {
      await expect.poll(findExcess, { timeout: 20_000 }).toBeGreaterThan(0);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('says that a process without an inspector cannot be profiled', async () => {
    await expect(Profiler.connect(['ready http://localhost:1'])).rejects.toThrow('the process has no inspector');
  });
});
