import { expect } from 'vitest';

import type { Answer, Client } from './server.ts';

type Options = Parameters<Client['get']>[1];

/** The path and query of the page that follows an answer; undefined after the last one. */
export function nextPage({ headers }: Answer): string | undefined {
  const link = headers.get('Link');
  if (link === null) return undefined;
  expect(link).toMatch(/^<\/[!-;=?-~]+>; rel="next"$/);
  return link.slice(1, link.indexOf('>'));
}

/** The rows of an answer, a JSON list or lines. */
export function rowsIn(answer: Answer): unknown[] {
  return answer.text.startsWith('[') ? (answer.json() as unknown[]) : answer.lines();
}

/**
 * The pages of a list, each followed by its link; all but the last have as many rows as was asked for.
 *
 * @param between Happens between two pages.
 */
export async function walk(
  client: Client,
  path: string,
  limit: number,
  options?: Options,
  between: () => Promise<void> = async () => {},
): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  while (next !== undefined) {
    const answer: Answer = await client.get(next, options);
    expect(`${answer.status} ${answer.status === 200 ? '' : answer.text}`).toBe('200 ');
    const rows = rowsIn(answer);
    next = nextPage(answer);
    if (next !== undefined) {
      expect(rows).toHaveLength(limit);
      await between();
    }
    expect(rows.length).toBeLessThanOrEqual(limit);
    pages.push(rows);
  }
  return pages;
}

/**
 * Expects that a list can be read in pages: pages of any size, one after the other, are the list.
 *
 * @param least How many rows the list has at least.
 */
export async function expectPages(client: Client, path: string, least: number, options?: Options): Promise<void> {
  const plain = await client.get(path, options);
  const whole = rowsIn(plain);
  expect([plain.status, plain.headers.get('Link')]).toEqual([200, null]);
  expect(whole.length).toBeGreaterThanOrEqual(least);
  for (const limit of [1, 2, 7, 1000]) {
    const pages = await walk(client, path, limit, options);
    expect(pages).toHaveLength(Math.max(1, Math.ceil(whole.length / limit)));
    expect(pages.flat()).toEqual(whole);
  }
}
