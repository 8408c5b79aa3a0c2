import { groups } from '../../../lib/contract/index.ts';
import { keysTtlMs } from '../../../lib/domain/tokens/token-keys.ts';
import { perMonth, perUse, secondsPerMonth } from './price-list.ts';

/** A cost that no table of operations has. */
export interface BesideCost {
  readonly what: string;
  readonly unit: string;
  readonly price: number;
}

const million = 1_000_000;
/** The access log and the record of the request, in GB. The platform's own records begin at WARN. */
const logOfRequest = 1.3e-6;
/** Milliseconds, ReadUnits and WriteUnits (lib/metric.ts). */
const metricsOfOperation = 3;
/** The current key and the previous one. */
const readsOfKeys = 2;
/** The gateway counts each started part of this size as a request. */
const megabytesPerRequest = 10;

/** Costs beside the table, the functions and the requests. */
export function listCostsBeside(): BesideCost[] {
  const operations = groups.reduce((sum, { routes }) => sum + Object.keys(routes).length, 0);
  return [
    {
      what: 'logs, some 1.3 KB a request',
      unit: 'a million requests',
      price: million * logOfRequest * perUse.logGigabyte,
    },
    {
      what: `secrets: each instance of a function reads the token key every ${keysTtlMs / 60_000} minutes`,
      unit: '100 instances, all month',
      price: 100 * readsOfKeys * ((secondsPerMonth * 1_000) / keysTtlMs) * perUse.secretRead,
    },
    { what: 'traces, with `tracing=on`', unit: 'a million traces', price: million * perUse.trace },
    { what: 'events on a bus, with `eventBus=on`', unit: 'a million events', price: million * perUse.busEvent },
    {
      what: 'metrics, with `requestMetrics=on`',
      unit: 'an operation in use all month',
      price: metricsOfOperation * perMonth.customMetric,
    },
    {
      what: `the same, if all ${operations} operations are in use`,
      unit: 'a month',
      price: operations * metricsOfOperation * perMonth.customMetric,
    },
    {
      what: 'answers of 100 MB: the gateway counts each 10 MB as a request',
      unit: 'a thousand answers',
      price: 1_000 * (100 / megabytesPerRequest) * perUse.gatewayRequest,
    },
  ];
}
