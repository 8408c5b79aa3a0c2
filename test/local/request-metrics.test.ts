import { describe, expect, it } from 'vitest';

import { asRoot, call, newScope, nobody, uniqueName } from '../support/server.ts';

const root = asRoot();

/** The value of a metric; 0 where it has no such labels yet. */
async function valueOf(metric: string): Promise<number> {
  const { text } = await nobody.get('/metrics');
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${metric} `))
      ?.slice(metric.length) ?? 0,
  );
}

/** How much metrics grow by a request. */
async function growth(metrics: readonly string[], request: () => Promise<unknown>): Promise<number[]> {
  const before = await Promise.all(metrics.map(valueOf));
  await request();
  // A request is counted when its answer was closed, which its client may see before.
  await expect.poll(() => valueOf(metrics[0] ?? '')).toBeGreaterThan(before[0] ?? 0);
  return Promise.all(metrics.map(async (metric, index) => (await valueOf(metric)) - (before[index] ?? 0)));
}

describe('GET /metrics of the local server', () => {
  it('is in the format of Prometheus, and needs no token', async () => {
    for (const path of ['/metrics', '/metrics/', '/metrics?name=x']) {
      const answer = await nobody.get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(answer.text).toContain('# TYPE dapple_requests_total counter\n');
      expect(answer.text).toMatch(/^process_cpu_seconds_total \d/m);
    }
    expect((await call('HEAD', '/metrics', {})).status).toBe(200);
    expect((await nobody.post('/metrics', {})).status).toBe(405);
    expect((await nobody.get('/metricsx')).status).toBe(404);
  });

  it('counts requests by operation and status, their time, and the units of the table', async () => {
    const scope = await newScope();
    const name = uniqueName('ds');
    const metrics = [
      'dapple_requests_total{operation="addDid",method="POST",status="201"}',
      'dapple_request_duration_seconds_count{operation="addDid"}',
      'dapple_table_write_units_total{operation="addDid"}',
    ];
    const [requests, durations, units] = await growth(metrics, () =>
      root.post(`/dids/${scope}/${name}`, { type: 'DATASET' }),
    );
    expect([requests, durations]).toEqual([1, 1]);
    expect(units).toBeGreaterThan(0);
    const missing = 'dapple_requests_total{operation="getDid",method="GET",status="404"}';
    expect(await growth([missing], () => root.get(`/dids/${scope}/none`))).toEqual([1]);
    const unknown = 'dapple_requests_total{operation="none",method="GET",status="404"}';
    expect(await growth([unknown], () => nobody.get('/ping/x'))).toEqual([1]);
  });

  it('names no data', async () => {
    const scope = await newScope();
    await root.get(`/dids/${scope}/none`);
    expect((await nobody.get('/metrics')).text).not.toContain(scope);
  });
});
