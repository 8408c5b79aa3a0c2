/**
 * The largest bundle that each function may have, in KB of 1,000 bytes, minified and not compressed. Kept close above what
 * it is, so that a dependency which comes along by accident fails the test: look with `npm run bench:cold-start` what it
 * is, and raise a budget only for what the function needs.
 */
export const budgets: Readonly<Record<string, number>> = {
  accounts: 500,
  archives: 445,
  auth: 455,
  config: 455,
  'consume-stream': 490,
  dids: 560,
  'do-work': 440,
  events: 445,
  'expire-dids': 390,
  fleet: 485,
  'follow-up-stream': 490,
  identities: 450,
  'lifetime-exceptions': 460,
  locks: 450,
  'maintain-metadata-index': 275,
  'make-root': 365,
  'meta-conventions': 460,
  openapi: 860,
  ping: 445,
  'recover-batches': 265,
  replicas: 535,
  requests: 475,
  'rotate-token-key': 190,
  rses: 500,
  rules: 530,
  scopes: 460,
  subscriptions: 530,
};
