/**
 * The largest bundle that each function may have, in KB of 1,000 bytes, minified and not compressed. Kept close above what
 * it is, so that a dependency which comes along by accident fails the test: look with `npm run bench:cold-start` what it
 * is, and raise a budget only for what the function needs.
 */
export const budgets: Readonly<Record<string, number>> = {
  accounts: 450,
  archives: 400,
  auth: 410,
  config: 405,
  'consume-stream': 445,
  dids: 520,
  'do-work': 385,
  events: 400,
  'expire-dids': 330,
  fleet: 440,
  'follow-up-stream': 445,
  identities: 410,
  'lifetime-exceptions': 415,
  locks: 405,
  'maintain-metadata-index': 280,
  'make-root': 300,
  'meta-conventions': 415,
  openapi: 840,
  ping: 400,
  'recover-batches': 270,
  replicas: 495,
  requests: 425,
  'rotate-token-key': 190,
  rses: 460,
  rules: 490,
  scopes: 410,
  subscriptions: 490,
};
