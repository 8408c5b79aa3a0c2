/**
 * The largest bundle that each function may have, in KB of 1,000 bytes, minified and not compressed. Kept close above what
 * it is, so that a dependency which comes along by accident fails the test: look with `npm run bench:cold-start` what it
 * is, and raise a budget only for what the function needs.
 */
export const budgets: Readonly<Record<string, number>> = {
  accounts: 450,
  archives: 395,
  auth: 405,
  config: 400,
  'consume-stream': 425,
  dids: 510,
  'do-work': 375,
  events: 395,
  'expire-dids': 320,
  fleet: 435,
  'follow-up-stream': 425,
  identities: 405,
  'lifetime-exceptions': 410,
  locks: 400,
  'maintain-metadata-index': 270,
  'make-root': 290,
  'meta-conventions': 410,
  openapi: 835,
  ping: 395,
  'recover-batches': 260,
  replicas: 485,
  requests: 425,
  'rotate-token-key': 190,
  rses: 455,
  rules: 480,
  scopes: 405,
  subscriptions: 480,
};
