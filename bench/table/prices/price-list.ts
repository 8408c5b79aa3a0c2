/*
 * AWS's list prices in us-east-1, in USD, as published in November 2026. Other regions differ by some tenths. Free tiers are
 * left out.
 */

/** Prices of what a request uses. */
export const perUse = {
  /** DynamoDB on demand, standard table class. */
  readUnit: 0.125e-6,
  writeUnit: 0.625e-6,
  /** Lambda on ARM processors. */
  invocation: 0.2e-6,
  gigabyteSecond: 13.3334e-6,
  /** API Gateway, REST API, the first 333 million a month. */
  gatewayRequest: 3.5e-6,
  /** A gigabyte of logs that CloudWatch takes in. */
  logGigabyte: 0.5,
  /** A value that Secrets Manager gives out. */
  secretRead: 5e-6,
  /** A trace that X-Ray records. */
  trace: 5e-6,
  /** A change of the catalogue that is sent to the event bus. */
  busEvent: 1e-6,
} as const;

/** Prices of what is there, a month. */
export const perMonth = {
  alarm: 0.1,
  customMetric: 0.3,
  dashboard: 3,
  secret: 0.4,
  /** A gigabyte in the table. */
  storage: 0.25,
  /** A gigabyte of the table in continuous backups. */
  backup: 0.2,
} as const;

/** The seconds of a month, as AWS reckons. */
export const secondsPerMonth = 730 * 3_600;
