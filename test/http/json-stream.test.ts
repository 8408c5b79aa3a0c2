import type { Readable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { openJsonStream, type StreamLimits } from '../../lib/http/json-stream.ts';

async function* rows(count: number, failure?: Error) {
  for (let n = 0; n < count; n += 1) yield { n };
  if (failure !== undefined) throw failure;
}

/** The text that a reader gets, on a platform that hides a broken connection, and the error. */
async function read(
  list: AsyncIterable<unknown>,
  limits?: StreamLimits,
): Promise<{ lines: string[]; failure: unknown }> {
  let text = '';
  let failure: unknown;
  try {
    for await (const chunk of (await openJsonStream(list, limits)) as Readable) text += String(chunk);
  } catch (error) {
    failure = error;
  }
  return { lines: text.split('\n'), failure };
}

const broken = 'The list is incomplete, it was broken off here';

describe('a list that fails after its first line', () => {
  it.each([1, 5, 5_000])('ends with an invalid JSON line after %d rows, then breaks the connection', async (count) => {
    const { lines, failure } = await read(rows(count, new Error('the table is away')));
    expect(failure).toMatchObject({ message: 'the table is away' });
    expect(lines).toHaveLength(count + 1);
    expect(lines.slice(0, -1).map((line) => JSON.parse(line) as unknown)).toEqual(await Array.fromAsync(rows(count)));
    expect(lines.at(-1)).toContain(broken);
    expect(() => JSON.parse(lines.at(-1) ?? '') as unknown).toThrow();
  });

  it("also ends so at the deadline and at the platform's size limit", async () => {
    const late = await read(rows(10), { until: clock.now() - 1 });
    expect(late.lines).toHaveLength(2);
    expect(late.lines.at(-1)).toContain(broken);
    expect(late.failure).toBeInstanceOf(Error);
    const long = await read(rows(100_000), { bytes: 500_000 });
    expect(long.lines.join('\n').length).toBeLessThanOrEqual(500_000);
    expect(long.lines.join('\n').length).toBeGreaterThan(499_000);
    expect(long.lines.at(-1)).toContain(broken);
    expect(long.failure).toBeInstanceOf(Error);
  });

  it('differs from a complete list, which has complete lines only', async () => {
    const { lines, failure } = await read(rows(20_000), { until: clock.now() + 60_000, bytes: 199_000_000 });
    expect(failure).toBeUndefined();
    expect(lines).toHaveLength(20_001);
    expect(lines.at(-1)).toBe('');
  });
});
