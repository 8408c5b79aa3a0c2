import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { LocalServer } from '../../local/server.ts';
import { logIn, openBrowser, openPage, visit } from './support/open-page.ts';
import { logInAt, startCatalogue } from './support/seeded-server.ts';

/** Rows of the list; the page is said to hold a million of them (ROWS=1000000 npm run test:browser). */
const rows = Number(process.env['ROWS'] || 5_000);
const maxRowsInDocument = 500;

let browser: Browser;
let server: LocalServer;

beforeAll(async () => {
  browser = await openBrowser();
  server = await startCatalogue();
  const call = await logInAt(server);
  await call('POST', '/scopes/root/long');
  await call('POST', '/dids/long/list', { type: 'DATASET' });
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Answers the content of the dataset in pages, as the service does: its cursor is a number here. */
async function answerLongList(page: Page): Promise<void> {
  await page.route(/\/dids\/long\/list\/dids/, async (route) => {
    const url = new URL(route.request().url());
    const begin = Number(url.searchParams.get('cursor') ?? 0);
    const end = Math.min(rows, begin + Number(url.searchParams.get('limit')));
    const lines = Array.from({ length: end - begin }, (_unused, i) =>
      JSON.stringify({
        scope: 'long',
        name: `file-${begin + i + 1}`,
        type: 'FILE',
        bytes: begin + i,
        adler32: '00000001',
        md5: null,
      }),
    );
    url.searchParams.set('cursor', String(end));
    const link = `<${url.pathname}${url.search}>; rel="next"`;
    await route.fulfill({ body: lines.join('\n'), headers: end < rows ? { Link: link } : {} });
  });
}

it(`a list of ${rows} rows is scrolled to its end and back up, in flat memory`, async () => {
  const { page, context, faults } = await openPage(browser, server.url);
  const protocol = await context.newCDPSession(page);
  await protocol.send('HeapProfiler.enable');
  await answerLongList(page);
  await logIn(page);
  await visit(page, '#/did/long/list');
  const measure = async () => {
    await protocol.send('HeapProfiler.collectGarbage');
    const { usedSize } = await protocol.send('Runtime.getHeapUsage');
    return { megabytes: usedSize / 1e6, shown: await page.locator('tbody tr').count() };
  };
  const first = await measure();
  const reached = () => page.evaluate(() => document.querySelector('.paged-place')?.textContent ?? '');
  const samples = [first];
  const tenth = rows / 10;
  let last = 0;
  while (!(await reached()).endsWith('the end')) {
    await page.evaluate(async () => {
      // As fast as pages arrive: to the end of what is there, and on.
      for (let i = 0; i < 50; i += 1) {
        scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    const at = Number(/to ([\d,]+)/.exec(await reached())?.[1]?.replaceAll(',', '') ?? 0);
    if (at >= last + tenth) {
      last = at;
      samples.push(await measure());
    }
  }
  const end = await measure();
  console.log(
    `${rows} rows: ${samples.map(({ megabytes }) => megabytes.toFixed(1)).join(', ')}, ${end.megabytes.toFixed(1)} MB`,
  );
  await page.getByText(`file-${rows}`, { exact: true }).waitFor();
  expect(Math.max(...samples.map(({ shown }) => shown))).toBeLessThan(maxRowsInDocument);
  // Only the cursor of a page stays.
  expect(end.megabytes - first.megabytes).toBeLessThan(3 + rows / 100_000);
  const before = await reached();
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
      return reached();
    })
    .not.toBe(before);
  expect(faults).toEqual([]);
  await context.close();
}, 3_600_000);
