import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { checkData } from './check-data.ts';
import { Load } from './load.ts';

/**
 * Kills a server with data on disk at random instants under load, and restarts it on the same folder. Each answered
 * write must be present; an unanswered bulk request must be present as a whole or not at all.
 */

const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' } } });
const kills = Number(values.kills);
/** The longest time under load before a kill. */
const maxLoadMs = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'dapple-crash-'));
let server: ServerProcess | undefined;
try {
  server = await start();
  const load = await Load.prepare(server.url);
  const times: number[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const running = load.run(server.url);
    await sleep(Math.random() * maxLoadMs);
    await server.kill();
    await running;
    server = await start();
    times.push(server.startTime);
    await load.verifyLatest(server.url);
    if (kill % 20 === 0) console.log(`${kill} kills: ${load.answered} answered requests, ${load.lost} lost`);
  }
  await load.verifyAll(server.url);
  await server.stop();
  const problems = checkData(join(folder, 'dapple.sqlite'));
  const sorted = times.toSorted((a, b) => a - b);
  const milliseconds = (share: number) => Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 1_000);
  console.log(
    `${kills} kills at random instants under load: ${load.answered} answered requests with ${load.files} files, ` +
      `${load.lost} lost; ${load.unanswered} unanswered ones, ${load.halves} there in part; ` +
      `${problems.length} problems in the data; from start to ready ${milliseconds(0.5)} ms (median), ` +
      `${milliseconds(1)} ms (longest)`,
  );
  for (const problem of problems) console.log(problem);
  if (load.lost + load.halves + problems.length > 0) process.exitCode = 1;
} finally {
  await server?.kill();
  rmSync(folder, { recursive: true, force: true });
}

function start(): Promise<ServerProcess> {
  return startServerProcess(['--data', folder], { LOG_LEVEL: 'ERROR' });
}
