/**
 * The largest bundle that each function may have, in KB of 1,000 bytes, minified and not compressed. Kept close above what
 * it is, so that a dependency which comes along by accident fails the test: look with `npm run bench:cold-start` what it
 * is, and raise a budget only for what the function needs.
 */
export const budgets: Readonly<Record<string, number>> = {
  accounts: 435,
  archives: 380,
  auth: 390,
  config: 385,
  'consume-stream': 425,
  dids: 495,
  'do-work': 375,
  events: 380,
  'expire-dids': 320,
  fleet: 420,
  'follow-up-stream': 425,
  identities: 390,
  'lifetime-exceptions': 395,
  locks: 385,
  'maintain-metadata-index': 270,
  'make-root': 290,
  'meta-conventions': 395,
  openapi: 800,
  ping: 380,
  'recover-batches': 260,
  replicas: 470,
  requests: 410,
  'rotate-token-key': 190,
  rses: 440,
  rules: 465,
  scopes: 390,
  subscriptions: 465,
};
