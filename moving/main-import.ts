import { setEnvironment } from '../local/environment.ts';
import { explainFullDisk } from './import/full-disk.ts';
import { help, type ImportSettings, readSettings } from './import/options.ts';
import { Progress } from './import/progress.ts';
import { describeRejectedRows, describeOutcome, describeWaiting, writeRejectedRows } from './import/report.ts';
import { runImport } from './import/run-import.ts';
import { sections } from './import/sections/index.ts';
import { type SectionTotals, StateFile } from './import/state-file.ts';
import { openPostgres } from './rucio/postgres/postgres-source.ts';
import { type RucioSource, UsageError } from './rucio/source.ts';
import { DataFolder } from './write/data-folder.ts';
import { Files } from './write/files.ts';
import { nullTarget } from './write/null-target.ts';
import { DynamoTable } from './write/table.ts';
import type { Target } from './write/target.ts';

/** How the program ends. */
const exitCodes = { failed: 1, mistake: 2, rejected: 3 } as const;

async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2));
  if (settings === undefined) return console.log(help);
  const tableName = process.env['TABLE_NAME'] || 'Dapple';
  const endpoint = process.env['DYNAMODB_ENDPOINT'] || undefined;
  if (settings.to.kind !== 'table') setEnvironment({ tableName });
  else if (endpoint !== undefined) setEnvironment({ tableName: settings.to.name, endpoint });
  const source = await openPostgres({
    url: settings.from,
    schema: settings.schema,
    connections: settings.parallel,
  });
  try {
    await requireOneVo(source);
    await importFrom(source, settings, makeTarget(settings, tableName));
  } finally {
    await source.close();
  }
}

function makeTarget({ dryRun, to }: ImportSettings, tableName: string): Target {
  if (dryRun) return nullTarget;
  switch (to.kind) {
    case 'data':
      return new DataFolder(to.folder, tableName);
    case 'files':
      return new Files(to.folder);
    case 'table':
      return new DynamoTable(to.name);
  }
}

async function importFrom(source: RucioSource, settings: ImportSettings, target: Target): Promise<void> {
  const { dryRun, only, now, parallel } = settings;
  const state = new StateFile(dryRun ? undefined : settings.statePath);
  const progress = new Progress(process.stdout, await countRows(source, settings, state));
  try {
    console.log(`From ${source.address} into ${target.address}`);
    const outcome = await runImport({
      source,
      target,
      state,
      only,
      now,
      parallel,
      keepsDigests: !dryRun,
      begin: (section) => progress.begin(section),
      progress: (rows) => progress.add(rows),
      skip: (rows) => progress.skip(rows),
    });
    progress.end();
    const effort = { rows: progress.rows, seconds: progress.seconds };
    const rejected = writeRejectedRows(state, settings.logPath);
    for (const line of describeOutcome(outcome, state, effort)) console.log(line);
    for (const line of describeRejectedRows(rejected, settings.logPath)) console.log(line);
    for (const line of describeWaiting(await source.countRows('updated_dids', true))) console.log(line);
    if (rejected.size > 0) process.exitCode = exitCodes.rejected;
  } catch (error) {
    throw explainFullDisk(error, pathsOf(settings));
  } finally {
    progress.end();
    await target.close();
    state.close();
  }
}

/** The files and folders of this machine to which an import writes. */
function pathsOf({ dryRun, to, statePath, logPath }: ImportSettings): string[] {
  return [...(to.kind === 'table' || dryRun ? [] : [to.folder]), ...(dryRun ? [] : [statePath]), logPath];
}

/** The rows that are left to do; of an import that was finished all of them, as far as they may have changed. */
async function countRows(source: RucioSource, { only }: ImportSettings, state: StateFile): Promise<number> {
  const done = state.fact('finished') === undefined ? state.totals() : new Map<string, SectionTotals>();
  const wanted = sections.filter(({ name }) => only?.includes(name) ?? true);
  const counts = await Promise.all(
    wanted.map(async ({ name, drives }) => {
      const rows = await source.countRows(drives, false);
      return Math.max(0, rows - (done.get(name)?.rows ?? 0));
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** @throws UsageError if the server has several VOs: Dapple has one. */
async function requireOneVo(source: RucioSource): Promise<void> {
  const { rows } = await source.read({ vos: ['vo'] }, {});
  const others = rows.vos.map(({ vo }) => vo).filter((vo) => vo !== 'def');
  if (others.length === 0) return;
  throw new UsageError(
    `The server has the VOs ${others.join(', ')} beside the default one. Dapple has one VO: import a database of one.`,
  );
}

await main().catch((error: unknown) => {
  const isMistake = error instanceof UsageError;
  console.error(error instanceof Error ? error.message : error);
  if (!isMistake) console.error('The import has failed. Repeat it: it goes on where it stopped.');
  process.exitCode = isMistake ? exitCodes.mistake : exitCodes.failed;
});
