import { defaultOption } from '../../lib/domain/config/read-option.ts';
import { selectIndexableKeys } from '../../lib/domain/metadata-index/indexable-keys.ts';
import { adoptConfiguration, emptyKeys, finishBuilding } from '../../lib/domain/metadata-index/key-states.ts';
import { parseNamed } from '../../lib/json-names.ts';
import { FreeKeyLists } from '../../lib/store/bulk-index.ts';
import type { IndexState } from '../../lib/store/entities/index-state.ts';
import { type RucioSource, UsageError } from '../rucio/source.ts';
import { Files } from '../write/files.ts';
import type { Target } from '../write/target.ts';
import { Batch } from './batch.ts';
import { digestOf, packDigests } from './digests.ts';
import type { ImportContext } from './import-context.ts';
import { noteDrift } from './note-drift.ts';
import { SectionRun } from './section-run.ts';
import type { SectionTools } from './section-tools.ts';
import { sections } from './sections/index.ts';
import type { StateFile } from './state-file.ts';
import { SumMap } from './sums.ts';
import { addTotals } from './totals.ts';

/** The source, the target and the settings of an import. */
export interface ImportJob {
  readonly source: RucioSource;
  readonly target: Target;
  readonly state: StateFile;
  /** Names of sections; absent: all. */
  readonly only?: readonly string[] | undefined;
  /** The time that a first run counts as, in milliseconds since 1970. */
  readonly now: number;
  readonly parallel: number;
  readonly keepsDigests: boolean;
  /** Called with the name of each section that begins. */
  readonly begin: (section: string) => void;
  readonly progress: (rows: number) => void;
  /** Called with rows that need not be read again. */
  readonly skip: (rows: number) => void;
}

/** How an import has ended. */
export interface ImportOutcome {
  /** The number of this run; from 2 on it has followed changes. */
  readonly run: number;
  /** Everything is imported, and a server may run on the target. */
  readonly isComplete: boolean;
  /** Items that were written by a run that follows changes. */
  readonly written: number;
  /** Items that were deleted, since their rows are gone. */
  readonly deleted: number;
}

const totalsSection = 'totals';

/**
 * Imports a Rucio database, or goes on with an import that was interrupted, or follows what has changed since one.
 *
 * @throws UsageError if the target or the state does not fit.
 */
export async function runImport(job: ImportJob): Promise<ImportOutcome> {
  const { source, target, state } = job;
  const run = beginRun(job);
  await target.open(state.fact('progress'));
  state.setFact('progress', target.progress);
  const context = await makeContext(source, state, job.now);
  const tools: SectionTools = { ...job, context, run };
  const wanted = sections.filter(({ name }) => job.only?.includes(name) ?? true);
  for (const section of wanted) {
    job.begin(section.name);
    if (section.needsSums === true) {
      requireFiles(source, state);
      summarize(state, context);
    }
    await new SectionRun(section, tools).run();
  }
  const isComplete = sections.every(({ name, drives }) => !source.has(drives) || isOver(state, name, run));
  if (!isComplete) return { run, isComplete, written: state.freshItems(), deleted: 0 };
  job.begin(totalsSection);
  summarize(state, context);
  await writeTotals(tools);
  const stale = state.staleKeys();
  const written = state.freshItems();
  await target.delete(stale);
  state.clearKeys();
  await target.finish();
  state.setFact('finished', String(run));
  return { run, isComplete, written, deleted: stale.length };
}

/** @throws UsageError if the files are not imported yet, whose sums another section needs. */
function requireFiles(source: RucioSource, state: StateFile): void {
  if (state.frontier('dids') === 'over' || !source.has('dids')) return;
  throw new UsageError('The section rules needs the section dids: name both with --only.');
}

/** @returns The number of this run: the next one if the last was finished. */
function beginRun({ source, target, state, now }: ImportJob): number {
  const former = state.fact('source');
  if (former !== undefined && former !== source.address) {
    throw new UsageError(`This import was begun from ${former}, not from ${source.address}: name another target.`);
  }
  const run = Number(state.fact('finished') ?? 0) + 1;
  if (run > 1 && target instanceof Files) {
    throw new UsageError(
      'Files that are written cannot follow changes. Import them into a table, and go on with --to table:NAME and the ' +
        'state of this import (--state).',
    );
  }
  state.setFact('source', source.address);
  if (state.fact('now') === undefined) state.setFact('now', String(now));
  return run;
}

const isOver = (state: StateFile, name: string, run: number) =>
  state.frontier(name) === 'over' && state.formerRanges(name, run).length === 0;

async function makeContext(source: RucioSource, state: StateFile, now: number): Promise<ImportContext> {
  const { rows } = await source.read({ rses: ['id'] }, {});
  const index = makeIndexState(Number(state.fact('now') ?? now));
  const kept = parseNamed(state.fact('freeKeys') ?? '[]') as [string, string[], boolean][];
  if (index.free === undefined) throw new Error('the metadata index has no free keys');
  return {
    now: Number(state.fact('now') ?? now),
    rses: new Map(rows.rses.map(({ id, rse, deterministic }) => [id, { rse, deterministic }])),
    index,
    freeKeys: new FreeKeyLists(
      index.free,
      kept.map(([scope, keys, isFull]) => [scope, { keys: new Set(keys), isFull }]),
    ),
    sums: new SumMap(),
  };
}

/** The metadata index as a server with the default configuration makes it; one with another adapts it. */
function makeIndexState(since: number): IndexState {
  const wanted = {
    keys: new Set(selectIndexableKeys(defaultOption('metadata', 'indexed_keys'))),
    free: {
      maxKeys: defaultOption('metadata', 'max_keys_per_scope'),
      excluded: defaultOption('metadata', 'excluded_keys').toSorted(),
    },
  };
  return { ...finishBuilding(adoptConfiguration(emptyKeys, wanted)), since, version: 0 };
}

function summarize(state: StateFile, { sums }: ImportContext): void {
  sums.clear();
  for (const some of state.sums()) sums.addAll(some);
}

/** Writes what follows from all rows, as far as it differs from what the last run has written. */
async function writeTotals({ source, state, target, context, run, keepsDigests }: SectionTools): Promise<void> {
  const batch = new Batch(context.now);
  addTotals(batch, context.sums, context);
  await noteDrift(source, batch, context);
  const [former] = state.formerRanges(totalsSection, run + 1);
  const before = former === undefined ? new Map<string, string>() : state.digestsOf(former.id);
  const digests = new Map(Array.from(batch.items, ([key, { text }]) => [key, digestOf(text)] as const));
  const changed = [...batch.items].filter(([key]) => before.get(key) !== digests.get(key));
  await target.put(changed.map(([, item]) => item));
  await target.settle(true);
  const done = {
    section: totalsSection,
    range: {},
    fingerprint: '',
    digests: packDigests(keepsDigests ? digests : new Map()),
    sums: {},
    rejected: batch.rejected,
    rows: 0,
    tables: {},
    items: batch.items.size,
  };
  const stale = [...before.keys()].filter((key) => !digests.has(key));
  const fresh = run > 1 ? changed.map(([key]) => key) : [];
  state.save(run, [{ former: former?.id, done: [done], fresh, stale }], { progress: target.progress });
}
