/**
 * The files of black-box tests that `--brief` runs on the deployed API: some of every group of endpoints, what follows from the
 * stream, and bad input.
 */
export const briefSuite: readonly string[] = [
  'accounts',
  'auth',
  'bad-input',
  'config',
  'did-conventions',
  'did-metadata',
  'dids',
  'events',
  'identities',
  'import-export',
  'locks',
  'redirect',
  'replicas-pfns',
  'replicas-register',
  'replication-checklist',
  'requests',
  'rses',
  'rules',
  'scopes',
  'search',
  'subscription-matching',
  'subscriptions',
].map((name) => `test/blackbox/${name}.test.ts`);
