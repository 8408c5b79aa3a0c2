import type { RequestListener, ServerResponse } from 'node:http';

import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

import { finishedRequests, type RequestRecord } from '../lib/http/request-log.ts';

/** Bounds of the histogram of durations, in seconds. */
const durationBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The label of requests that no route serves. */
const noOperation = 'none';

/** The metrics of this process, over all its servers; undefined until one of them serves `/metrics`. */
let registry: Registry | undefined;

/**
 * Answers `GET /metrics` with the metrics of this process, as Prometheus reads them.
 *
 * @param ofServer Further ones, of one server.
 */
export function serveMetrics(ofServer: Registry): RequestListener {
  registry ??= collectMetrics();
  const metrics = Registry.merge([registry, ofServer]);
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    void answer(metrics, response, request.method === 'HEAD');
  };
}

async function answer(metrics: Registry, response: ServerResponse, isHead: boolean): Promise<void> {
  let text;
  try {
    text = await metrics.metrics();
  } catch (error) {
    console.error(`the metrics could not be measured: ${String(error)}`);
    response.writeHead(500).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': metrics.contentType });
  response.end(isHead ? '' : text);
}

/** Counts every request from now on, and begins to watch the process. */
function collectMetrics(): Registry {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const registers = [metrics];
  const requests = new Counter({
    name: 'dapple_requests_total',
    help: 'Requests that were answered',
    labelNames: ['operation', 'method', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'dapple_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['operation'],
    buckets: durationBuckets,
    registers,
  });
  const reads = new Counter({
    name: 'dapple_table_read_units_total',
    help: 'Read units of the table that requests took',
    labelNames: ['operation'],
    registers,
  });
  const writes = new Counter({
    name: 'dapple_table_write_units_total',
    help: 'Write units of the table that requests took',
    labelNames: ['operation'],
    registers,
  });
  finishedRequests.subscribe((message) => {
    const { operation = noOperation, method, status, milliseconds, rru = 0, wru = 0 } = message as RequestRecord;
    requests.inc({ operation, method, status });
    durations.observe({ operation }, milliseconds / 1_000);
    if (rru > 0) reads.inc({ operation }, rru);
    if (wru > 0) writes.inc({ operation }, wru);
  });
  return metrics;
}
