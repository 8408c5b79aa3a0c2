/**
 * The maximum size of each function's bundle, in KB of 1,000 bytes, minified and not compressed. The budgets are close above the
 * present sizes (`npm run bench:cold-start`), so that an accidental dependency fails the test. Raise one only for code that the
 * function needs.
 */
export const budgets: Readonly<Record<string, number>> = {
  accounts: 455,
  archives: 405,
  auth: 415,
  config: 410,
  'consume-stream': 455,
  dids: 525,
  'do-work': 405,
  events: 405,
  'expire-dids': 335,
  fleet: 445,
  'follow-up-stream': 455,
  identities: 415,
  'lifetime-exceptions': 420,
  locks: 410,
  'maintain-metadata-index': 285,
  'make-root': 305,
  'meta-conventions': 417,
  openapi: 845,
  ping: 405,
  'recover-batches': 275,
  replicas: 500,
  requests: 430,
  'rotate-token-key': 190,
  rses: 460,
  rules: 491,
  scopes: 415,
  subscriptions: 495,
};
