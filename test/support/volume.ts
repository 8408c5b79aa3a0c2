/**
 * How much the random tests do. `npm test` proves each rule with a small volume; `npm run test:long` searches with a large one,
 * and `VOLUME=10 npm run test:long` with ten times as much.
 */

/** The volume of a random test in `npm test`, and in `npm run test:long`. */
interface Volume {
  readonly test: number;
  readonly long: number;
}

/** The volumes of all random tests. */
const volumes = {
  // Histories.
  simulatedOperations: { test: 240, long: 20_000 },
  simulatedActions: { test: 300, long: 1_500 },
  modelOperations: { test: 200, long: 2_000 },
  replayedChanges: { test: 100, long: 200 },
  hostileMovers: { test: 1, long: 4 },
  racesOfDeletions: { test: 4, long: 20 },
  rulesOnRandomContent: { test: 1, long: 2 },
  rulesOfSubscriptions: { test: 1, long: 1 },
  foldsOfUsage: { test: 1, long: 1 },
  /** Copies of the data that are taken under load, and restored. */
  restoredCopies: { test: 2, long: 8 },
  backupsUnderLoad: { test: 1, long: 20 },
  importKills: { test: 1, long: 10 },
  serverKills: { test: 1, long: 3 },
  parallelRounds: { test: 2, long: 10 },
  contendedRounds: { test: 2, long: 6 },
  // Requests.
  sweptRequests: { test: 25, long: 1_000 },
  generatedRequests: { test: 300, long: 2_000 },
  costlyRequests: { test: 250, long: 1_000 },
  malformedBodies: { test: 40, long: 40 },
  protocolBodies: { test: 6, long: 6 },
  indexedSearches: { test: 30, long: 80 },
  searchesForDids: { test: 1, long: 3 },
  // Items and rows.
  mergedRows: { test: 10_000, long: 120_000 },
  releasesWithoutRoom: { test: 300, long: 5_000 },
  deletableReplicas: { test: 100, long: 2_000 },
  itemsOfRecords: { test: 100, long: 100 },
  escapedNames: { test: 1_000, long: 20_000 },
  jsonForms: { test: 200, long: 200 },
  identityKeys: { test: 20, long: 20 },
  // Values and texts.
  rseExpressions: { test: 500, long: 2_000 },
  pythonLiterals: { test: 300, long: 400 },
  indexTerms: { test: 2_000, long: 4_000 },
  pfns: { test: 200, long: 400 },
  paths: { test: 500, long: 5_000 },
  hostileNames: { test: 8, long: 80 },
  globs: { test: 500, long: 1_000 },
} satisfies Record<string, Volume>;

/** How many times as much as `test:long` is to be done; 0: as little as in `npm test`. */
const factor = Number(process.env['VOLUME'] || 0);

/** Number of rounds of a random test in this run; at least 1. */
export function volumeOf(name: keyof typeof volumes): number {
  const { test, long } = volumes[name];
  return factor === 0 ? test : Math.max(1, Math.round(long * factor));
}

/** How many times as long the engine of the run takes for a write at most. */
const slowness = process.env['ENGINE'] === 'dynamodb-local' ? 5 : 1;

/** Milliseconds that something may take whose amount grows with the volume and with what the engine takes. */
export function patience(milliseconds: number): number {
  return milliseconds * Math.max(1, factor) * slowness;
}

/**
 * The seed of a random test: that of an environment variable, else a new one.
 *
 * @param variable Such as `MODEL_SEED`. The title of the tests names it with the seed, so that a failure can be repeated.
 */
export function seedFrom(variable: string): number {
  return Number(process.env[variable] || Date.now() % 2 ** 31);
}
