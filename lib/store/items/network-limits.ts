/**
 * The time limits of requests to AWS. By default the SDK waits for ever: after a function was frozen, the other end may have
 * forgotten a connection. With six attempts a request fails before the 29 seconds of the gateway are over.
 */
export const networkLimits = {
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 4_000,
    // Without it the SDK only logs a warning and goes on waiting.
    throwOnRequestTimeout: true,
  },
} as const;
