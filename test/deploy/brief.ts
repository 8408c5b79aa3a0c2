/**
 * The files of black-box tests that CI has the time to run on the deployed API: some of every group of endpoints, what follows
 * from the stream, and bad input. All others are run by `npm run test:deploy` without `--brief`.
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
  'replication-acceptance',
  'requests',
  'rses',
  'rules',
  'scopes',
  'search',
  'subscription-matching',
  'subscriptions',
].map((name) => `test/blackbox/${name}.test.ts`);
