/**
 * The maximum size of each function's bundle, in KB of 1,000 bytes, minified and not compressed. The budgets are close above the
 * present sizes (`npm run bench:cold-start`), so that an accidental dependency fails the test. Raise one only for code that the
 * function needs.
 */
export const budgets: Readonly<Record<string, number>> = {
  accounts: 445,
  archives: 390,
  auth: 400,
  browser: 395,
  config: 395,
  'consume-stream': 445,
  dids: 515,
  'do-work': 395,
  events: 390,
  'expire-dids': 325,
  fleet: 430,
  'follow-up-stream': 445,
  identities: 400,
  'lifetime-exceptions': 405,
  locks: 400,
  'maintain-metadata-index': 270,
  'make-root': 290,
  'meta-conventions': 405,
  // With room for some routes: each adds 1 to 2 KB to the OpenAPI document.
  openapi: 875,
  ping: 400,
  'recover-batches': 265,
  replicas: 525,
  requests: 430,
  'rotate-token-key': 175,
  rses: 460,
  rules: 490,
  scopes: 410,
  subscriptions: 490,
};
