/** Requests of one kind in a month. */
export interface Demand {
  /** Work of an experiment. */
  readonly what: string;
  /** The operation of bench/table/access-patterns.ts. */
  readonly operation: string;
  readonly requests: number;
}

/**
 * A month of an experiment that takes a million files, in datasets of a thousand, keeps two copies of each, and has every
 * file read five times by jobs that ask for its dataset's replicas at once, or for single files.
 */
export const typicalMonth: readonly Demand[] = [
  { what: 'datasets', operation: 'create a dataset', requests: 1_000 },
  {
    what: 'files registered and attached, 1,000 a request',
    operation: 'register 1000 files with two free metadata keys and attach them',
    requests: 1_000,
  },
  {
    what: 'copies that arrive, 1,000 a request',
    operation: 'change the states of 999 replicas that a rule waits for',
    requests: 1_000,
  },
  { what: 'datasets closed', operation: 'close a dataset', requests: 1_000 },
  {
    what: 'datasets whose replicas are listed, of 1,000 files',
    operation: 'list the replicas of a dataset, 1000 files',
    requests: 4_000,
  },
  { what: 'files of which a job asks for the DID', operation: 'get a DID', requests: 1_000_000 },
  { what: 'metadata read', operation: 'get the metadata of a DID', requests: 200_000 },
  { what: 'metadata set', operation: 'set a free metadata key of a dataset', requests: 20_000 },
  {
    what: 'searches by metadata',
    operation: 'search 100 files by a free metadata key',
    requests: 50_000,
  },
  { what: 'contents listed, of 1,000 files', operation: 'list the content of a DID, 1000 files', requests: 20_000 },
  { what: 'log-ins', operation: 'log in to an account', requests: 100_000 },
  { what: 'RSEs looked at', operation: 'get an RSE', requests: 100_000 },
];
