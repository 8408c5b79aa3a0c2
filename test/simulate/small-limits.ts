import type { Edits } from './patch-sources.ts';

/** Replaced values of constants, by the file of lib and the name of the constant. */
type Replacements = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Limits so small that a simulated catalogue exceeds them: its tasks take several steps, its reads several pages, and its
 * plans are divided, which the usual limits do for many more files.
 */
export const smallLimits: Replacements = {
  'lib/background/build-metadata-index.ts': { didsPerStep: '2', checkpointIntervalMs: '100' },
  'lib/background/erase-did.ts': { maxParents: '2', maxParallelDeletes: '2' },
  'lib/background/fold-usage.ts': { maxDifferences: '4', minDifferences: '2' },
  'lib/background/lease.ts': { leaseMs: '2_000' },
  'lib/background/recount-usage.ts': { filesPerRead: '2' },
  'lib/background/run-work.ts': { tasksPerRead: '2', idleBeforeTakeoverMs: '500' },
  'lib/background/work-reaction.ts': { budgetMs: '100' },
  'lib/domain/deletion/mark-replicas.ts': { maxMarkedReplicas: '2' },
  'lib/domain/deletion/select-replicas.ts': { firstEntries: '2' },
  'lib/domain/did-graph/content-walk.ts': { pageSize: '2', pagesPerStep: '2' },
  'lib/domain/did-graph/files-below.ts': {
    maxFilesInMemory: '5',
    bufferedEdges: '{ allStreams: 8, least: 2 }',
    maxStreamsPerMerge: '2',
  },
  'lib/domain/did-graph/visited-collections.ts': { digestsPerList: '2' },
  'lib/domain/dids/follow-file-keys.ts': { edgesPerPlan: '2' },
  'lib/domain/dids/recheck-edges.ts': { edgesPerTask: '2' },
  'lib/domain/locks/replica-changes.ts': { bytesPerItem: '500' },
  'lib/domain/rules/engine/content-cursor.ts': { maxFilesPerRead: '3' },
  'lib/domain/rules/engine/lock-attached.ts': { locksPerPlan: '2' },
  'lib/domain/rules/engine/placement-workers.ts': {
    limits: '{ counted: 4, locks: 4, touched: maxItemsPerStep }',
    usualFilesPerRead: '2',
    cautious: '{ limits: { ...limits, counted: 2, locks: 2 }, files: 1 }',
  },
  'lib/domain/rules/engine/recent-content.ts': { filesPerTest: '2', datasetsPerStep: '1' },
  'lib/domain/rules/engine/recheck-later.ts': { filesPerNote: '2' },
  'lib/domain/rules/engine/request-placements.ts': { requestLimits: '{ locks: 3, datasets: 1 }' },
  'lib/domain/rules/engine/split-rule.ts': { datasetsPerStep: '1' },
  'lib/domain/rules/engine/unlock-detached.ts': { filesPerPlan: '2' },
  'lib/domain/rules/engine/unlock.ts': { childrenPerRead: '2', datasetsPerStep: '1' },
  'lib/domain/rules/files-of-rule.ts': { filesPerRead: '2' },
  'lib/domain/rules/life-cycle/charge-account.ts': { maxLocksAtOnce: '2' },
  'lib/domain/rules/life-cycle/content-part.ts': { partSize: '{ limit: 4, cautious: 2, file: 1, collection: 1 }' },
  'lib/domain/rules/life-cycle/follow-rules.ts': { rulesPerPlan: '1' },
  'lib/domain/rules/life-cycle/mark-locks-stuck.ts': { maxLocksAtOnce: '2' },
  'lib/domain/rules/life-cycle/remove-rule.ts': { maxInlineDatasetLocks: '1', largeFileBytes: '500' },
  'lib/domain/search/indexed-candidates.ts': { maxDidsPerBatch: '2' },
  'lib/domain/subscriptions/engine/match-past.ts': { limits: '{ collectionsPerStep: 2, collectionsPerScope: 1 }' },
  'lib/domain/values/worker.ts': { maxItemsPerStep: '8' },
  'lib/operations/replicas/list-replicas.ts': { filesPerStep: '2' },
  'lib/store/batches/abort.ts': { cleanupTimeMs: '50' },
  'lib/store/batches/batch-record.ts': {
    maxRecordKeysBytes: '200',
    maxListBytes: '100',
    batchDeadlineMs: '1_500',
    maxBatchMs: '5_000',
  },
  'lib/store/batches/commit.ts': { maxTransactionWrites: '4', retryTimeoutMs: '500', maxConflicts: '1' },
  'lib/store/batches/fold-shared.ts': {
    maxFoldedChanges: '2',
    foldPolicy: '{ attempts: 2, firstPauseMs: 30, longestPauseMs: 400 }',
  },
  'lib/store/batches/fold.ts': { foldingTimeMs: '50' },
  'lib/store/batches/recover.ts': { budgetsMs: '{ run: 2_000, batch: 100 }' },
  'lib/store/batches/stage.ts': { stagingTimeoutMs: '1_000' },
  'lib/store/batches/staged.ts': { manyChanges: '3', maxCommitAttempts: '2' },
  'lib/store/batches/statements.ts': { statementsPerRequest: '3' },
  'lib/store/batches/table.ts': { maxPageItems: '6', longListItems: '20', longListPageItems: '3' },
  'lib/store/batches/transaction.ts': { policy: '{ attempts: 2, firstPauseMs: 40, longestPauseMs: 640 }' },
  'lib/store/entities/edge-index.ts': { maxMissing: '1' },
  'lib/store/entities/kept-answer.ts': { maxPlainCharacters: '50' },
  'lib/store/entities/metadata-index-search.ts': { firstPageItems: '2', didsPerRead: '2' },
  'lib/store/entities/new-did.ts': { namesPerItem: '2' },
  'lib/store/entities/shortest-list.ts': { maxPageItems: '8' },
  'lib/store/items/batch-get.ts': {
    keysPerGet: '5',
    policy: '{ attempts: 3, firstPauseMs: 50, longestPauseMs: 6_400 }',
  },
  'lib/store/items/conflicts.ts': { policy: '{ attempts: 3, firstPauseMs: 20, longestPauseMs: 500 }' },
  'lib/store/stream/read-stream.ts': { pendingTimeoutMs: '100' },
};

/** The edits that give the service small limits. */
export const smallLimitEdits: Edits = new Map(
  Object.entries(smallLimits).map(([file, values]) => [file, (contents) => replaceValues(contents, file, values)]),
);

function replaceValues(contents: string, file: string, values: Readonly<Record<string, string>>): string {
  let edited = contents;
  for (const [name, value] of Object.entries(values)) {
    const parts = edited.split(new RegExp(`^((?:export )?const ${name} = )[^;]+;`, 'm'));
    if (parts.length !== 3) throw new Error(`${file} does not declare ${name} once`);
    edited = `${parts[0]}${parts[1]}${value};${parts[2]}`;
  }
  return edited;
}
