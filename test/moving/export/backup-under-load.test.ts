/**
 * Backups of a server at random instants of a load, each restored into an empty folder and started.
 * `BACKUP_SEED` repeats the instants, counted in finished units.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { openSession, type Session } from '../../../moving/compare/session.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { patience, seedFrom, volumeOf } from '../../support/volume.ts';
import { run } from './programs.ts';
import { eventsOfUnits, isSettled, prepareUnits, runUnit, viewOfUnit } from './units.ts';

const seed = seedFrom('BACKUP_SEED');
const backups = volumeOf('backupsUnderLoad');
const clients = backups < 20 ? 2 : 3;
const waiting = { timeout: patience(60_000), interval: 100 };
const credentials = { username: 'ddmlab', password: 'secret', account: 'root' };

interface Backup {
  readonly path: string;
  /** The units whose requests were all answered before the backup began. */
  readonly finished: readonly number[];
  /** The units that were under way while it was made. */
  readonly underWay: readonly number[];
}

const folder = mkdtempSync(join(tmpdir(), 'dapple-backup-test-'));
const made: Backup[] = [];
/** State of the running server, by unit. */
const views = new Map<number, string[]>();
let events: Awaited<ReturnType<typeof eventsOfUnits>>;

/** Runs clients until all backups are made. */
async function loadAndBackUp(session: Session, data: string): Promise<void> {
  const finished: number[] = [];
  const underWay = new Set<number>();
  let next = 0;
  let wake = () => {};
  const client = async () => {
    while (made.length < backups) {
      const unit = next++;
      underWay.add(unit);
      await runUnit(session, unit);
      underWay.delete(unit);
      finished.push(unit);
      wake();
    }
  };
  const backUp = async () => {
    let state = seed;
    while (made.length < backups) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const wanted = finished.length + 1 + ((state >>> 16) % 3);
      while (finished.length < wanted) await new Promise<void>((resolve) => (wake = resolve));
      const path = join(folder, `backup${made.length}`);
      const [before, begunBefore] = [[...finished], [...underWay]];
      expect(await run('export', ['--from', data, '--to', path])).toMatchObject({ code: 0 });
      const begun = Array.from({ length: next }, (_value, unit) => unit);
      const others = begun.filter((unit) => begunBefore.includes(unit) || !before.includes(unit));
      made.push({ path, finished: before, underWay: others });
    }
  };
  await Promise.all([backUp(), ...Array.from({ length: clients }, client)]);
}

beforeAll(
  async () => {
    const data = join(folder, 'data');
    const server = await startServerProcess(['--data', data]);
    try {
      const session = openSession({ url: server.url, credentials });
      await prepareUnits(session);
      await loadAndBackUp(session, data);
      for (const unit of new Set(made.flatMap(({ finished }) => finished))) {
        await vi.waitFor(async () => expect(await isSettled(session, unit), `unit ${unit}`).toBe(true), waiting);
        views.set(unit, await viewOfUnit(session, unit));
      }
      events = await eventsOfUnits(session);
    } finally {
      await server.stop();
    }
  },
  60_000 + backups * 60_000,
);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe(`a backup under load (BACKUP_SEED=${seed})`, () => {
  it.each(Array.from({ length: backups }, (_value, index) => index))(
    '%d comes to what the running server came to: locks, states, dataset locks, usage, rules of subscriptions, events',
    async (index) => {
      const { path, finished, underWay } = made[index] as Backup;
      const data = join(folder, `restored${index}`);
      expect(await run('load', ['--from', path, '--to', data])).toMatchObject({ code: 0 });
      const server = await startServerProcess(['--data', data, '--threads', '0']);
      try {
        const session = openSession({ url: server.url, credentials });
        for (const unit of finished) {
          await expect.poll(() => isSettled(session, unit), { message: `unit ${unit}` }).toBe(true);
          await expect.poll(() => viewOfUnit(session, unit), { message: `unit ${unit}` }).toEqual(views.get(unit));
        }
        for (const unit of underWay) await expectConsistent(session, unit);
        await expect.poll(() => missingEvents(session, finished), { message: 'events that are missing' }).toEqual([]);
        report(index, { finished, underWay, startTime: server.startTime, said: server.said });
      } finally {
        await server.stop();
      }
      const { code, output } = await run('recount', ['--data', data]);
      expect(`${String(code)} ${output}`).toMatch(/^0 .*That is right/);
      rmSync(data, { recursive: true, force: true });
    },
    120_000,
  );
});

/** The present part of a unit that was under way has the locks that its rules ask for. */
async function expectConsistent(session: Session, unit: number): Promise<void> {
  const statuses = await Promise.all(['D', 'C'].map((kind) => session.call('GET', `/dids/load/${kind}.${unit}`)));
  if (statuses.some(({ status }) => status === 404)) return;
  await expect.poll(() => isSettled(session, unit), { message: `unit ${unit}, which was under way` }).toBe(true);
}

async function missingEvents(session: Session, units: readonly number[]): Promise<string[]> {
  const found = await eventsOfUnits(session);
  return units.flatMap((unit) => [...(events.get(unit) ?? [])].filter((text) => !found.get(unit)?.has(text)));
}

/** The figures of a run with all backups. */
function report(index: number, { finished, underWay, startTime, said }: Figures): void {
  if (backups < 20) return;
  const caughtUp = said.find((line) => line.startsWith('caught up')) ?? 'nothing was owed';
  console.log(
    `backup ${index}: ${finished.length} units finished, ${underWay.length} under way, ready in ${startTime.toFixed(1)} s; ${caughtUp}`,
  );
}

interface Figures extends Pick<Backup, 'finished' | 'underWay'> {
  readonly startTime: number;
  readonly said: readonly string[];
}
