/**
 * The black-box tests that CI runs on the deployed API: some of every group of endpoints, effects of the stream, and bad input.
 * `npm run test:deploy` without `--brief` runs all.
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
