/**
 * The maximum size of each function's bundle, in KB of 1,000 bytes, minified and not compressed. The budgets are close above the
 * present sizes (`npm run bench:cold-start`), so that an accidental dependency fails the test. Raise one only for code that the
 * function needs.
 */
export const budgets: Readonly<Record<string, number>> = {
  accounts: 450,
  archives: 400,
  auth: 410,
  config: 405,
  'consume-stream': 445,
  dids: 520,
  'do-work': 400,
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
  ping: 405,
  'recover-batches': 270,
  replicas: 500,
  requests: 425,
  'rotate-token-key': 175,
  rses: 460,
  rules: 485,
  scopes: 410,
  subscriptions: 490,
};
