/** What CloudWatch reads of the records of functions: embedded metric format. */
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';

import { group } from '../../lib/contract/route.ts';
import { fail } from '../../lib/errors.ts';
import { countMetric, metricNamespace } from '../../lib/metric.ts';
import { gatewayEvent, lambdaContext } from '../support/event.ts';

const contract = group('test', ['/test'], {
  measured: {
    method: 'GET',
    path: '/test/:value',
    summary: 'measured',
    permission: 'open',
    answer: { kind: 'json', schema: z.unknown() },
  },
});

const records: Record<string, unknown>[] = [];
let send: (path: string) => Promise<unknown>;

beforeAll(async () => {
  vi.stubEnv('LOG_LEVEL', 'INFO');
  vi.stubEnv('TABLE_NAME', 'none');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('RESPONSE_MODE', 'buffer');
  vi.resetModules();
  const { log } = await import('../../lib/log.ts');
  for (const level of ['info', 'error'] as const) {
    vi.spyOn(log, level).mockImplementation((message, ...entries) => {
      records.push({ message, ...(entries[0] as object) });
    });
  }
  const { createHandler } = await import('../../lib/http/handler.ts');
  const handler = createHandler(contract, {
    measured: (_context, { params }) => (params.value === 'broken' ? fail('RucioException', 'broken') : params),
  }) as unknown as (event: unknown, context: Context) => Promise<unknown>;
  send = (path) => handler(gatewayEvent('GET', path), lambdaContext());
});
beforeEach(() => {
  records.length = 0;
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

interface Embedded {
  readonly Timestamp: number;
  readonly CloudWatchMetrics: readonly {
    readonly Namespace: string;
    readonly Dimensions: readonly (readonly string[])[];
    readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
  }[];
}

/** The metrics of a record by name; CloudWatch takes values and dimensions from the members that the declaration names. */
function metricsOf(record: Readonly<Record<string, unknown>>) {
  const { Timestamp, CloudWatchMetrics } = record['_aws'] as Embedded;
  expect(Math.abs(Timestamp - Date.now())).toBeLessThan(60_000);
  return CloudWatchMetrics.map(({ Namespace, Dimensions, Metrics }) => ({
    namespace: Namespace,
    dimensions: Object.fromEntries(Dimensions.flat().map((name) => [name, record[name]])),
    values: Object.fromEntries(Metrics.map(({ Name }) => [Name, record[Name]])),
  }));
}

describe('the record of a request', () => {
  it.each(['fine', 'broken'])('has its metrics by operation as members, with requestMetrics=on: %s', async (value) => {
    vi.stubEnv('REQUEST_METRICS', 'on');
    await send(`/test/${value}`);
    expect(records).toHaveLength(1);
    const [record = {}] = records;
    expect(metricsOf(record)).toEqual([
      {
        namespace: metricNamespace,
        dimensions: { Operation: 'measured' },
        values: { Milliseconds: record['milliseconds'], ReadUnits: 0, WriteUnits: 0 },
      },
    ]);
    expect(record['Milliseconds']).toEqual(expect.any(Number));
    expect(JSON.stringify(record)).not.toContain('undefined');
  });

  it('of no operation has none, so that strangers make no metrics', async () => {
    vi.stubEnv('REQUEST_METRICS', 'on');
    await send('/test/a/b/c');
    expect(records).toMatchObject([{ status: 404 }]);
    expect(records[0]).not.toHaveProperty('_aws');
  });

  it('has none without the option', async () => {
    vi.stubEnv('REQUEST_METRICS', undefined);
    await send('/test/fine');
    expect(records).toMatchObject([{ message: 'request', operation: 'measured', status: 200 }]);
    expect(records[0]).not.toHaveProperty('_aws');
  });
});

describe('a record that an alarm watches', () => {
  it('counts 1 for its function', () => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'consume-stream');
    expect(metricsOf(countMetric('ChangesGivenUp'))).toEqual([
      { namespace: metricNamespace, dimensions: { FunctionName: 'consume-stream' }, values: { ChangesGivenUp: 1 } },
    ]);
  });
});
