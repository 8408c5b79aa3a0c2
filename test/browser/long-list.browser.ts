import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';

import { measureLongestTask } from './support/longest-task.ts';
import { logIn, visit } from './support/open-page.ts';
import { emptySite } from './support/site.ts';

/** Rows of each list; the page is said to hold a million of them (ROWS=1000000 npm run test:browser). */
const givenRows = Number(process.env['ROWS'] || 0);
const maxRowsInDocument = 500;
/** The page answers its reader in between: processor's time of its longest task while pages of rows come and go. */
const maxTaskMs = 200;

const site = emptySite();
const { call } = site;
/** A rule as the service shows it: the others of the list differ in id and name. */
let rule: object;

beforeAll(async () => {
  await call('POST', '/scopes/root/long');
  await call('POST', '/dids/long/list', { type: 'DATASET' });
  await call('POST', '/rses/SITE_DISK', {});
  const file = { scope: 'long', name: 'kept', bytes: 10, adler32: '0cc737eb' };
  await call('POST', '/replicas', { rse: 'SITE_DISK', files: [file] });
  await call('POST', '/accountlimits/local/root/SITE_DISK', { bytes: -1 });
  const wish = { dids: [{ scope: 'long', name: 'kept' }], account: 'root', copies: 1, rse_expression: 'SITE_DISK' };
  const [id = ''] = (await (await call('POST', '/rules/', wish)).json()) as string[];
  rule = (await (await call('GET', `/rules/${id}`)).json()) as object;
});

interface LongList {
  readonly name: string;
  readonly place: string;
  readonly route: RegExp;
  readonly line: (number: number) => object;
  readonly rows: number;
}

const lists: readonly LongList[] = [
  {
    name: 'the files of a dataset',
    rows: givenRows || 5_000,
    place: '#/did/long/list',
    route: /\/dids\/long\/list\/dids/,
    line: (number) => ({
      scope: 'long',
      name: `file-${number}`,
      type: 'FILE',
      bytes: number,
      adler32: '00000001',
      md5: null,
    }),
  },
  {
    name: 'the results of a search',
    rows: givenRows || 2_000,
    place: '#/search?q=long:*&type=all',
    route: /\/dids\/long\/dids\/search/,
    line: (number) => ({ scope: 'long', name: `file-${number}`, did_type: 'FILE', bytes: number, length: 1 }),
  },
  {
    name: 'the rules in a state',
    rows: givenRows || 2_000,
    place: '#/rules?state=OK',
    route: /\/rules\?/,
    line: (number) => ({ ...rule, id: number.toString(16).padStart(32, '0'), name: `file-${number}` }),
  },
];

/** Answers a list in pages, as the service does: its cursor is a number here. */
async function answerLongList(page: Page, { route: address, line, rows }: LongList): Promise<void> {
  await page.route(address, async (route) => {
    const url = new URL(route.request().url());
    const begin = Number(url.searchParams.get('cursor') ?? 0);
    const end = Math.min(rows, begin + Number(url.searchParams.get('limit')));
    const lines = Array.from({ length: end - begin }, (_unused, i) => JSON.stringify(line(begin + i + 1)));
    url.searchParams.set('cursor', String(end));
    const link = `<${url.pathname}${url.search}>; rel="next"`;
    await route.fulfill({ body: lines.join('\n'), headers: end < rows ? { Link: link } : {} });
  });
}

/** Frames after which the place in the list is looked at. */
const framesPerLook = 50;

/** Scrolls as fast as pages arrive: to the end of what is there, and on. */
const scrollOn = (page: Page, frames = framesPerLook) =>
  page.evaluate(async (count) => {
    for (let i = 0; i < count; i += 1) {
      scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, frames);

it.each(lists)(
  '$name, $rows rows, are scrolled to the end and back up, in flat memory',
  async (list) => {
    const { rows } = list;
    const { page, context, faults } = await site.open();
    const protocol = await context.newCDPSession(page);
    await protocol.send('HeapProfiler.enable');
    await logIn(page);
    await answerLongList(page, list);
    await visit(page, list.place);
    const measure = async () => {
      await protocol.send('HeapProfiler.collectGarbage');
      const { usedSize } = await protocol.send('Runtime.getHeapUsage');
      return { megabytes: usedSize / 1e6, shown: await page.locator('tbody tr').count() };
    };
    const longest = await measureLongestTask(site.browser, page, () => scrollOn(page));
    const first = await measure();
    const reached = () => page.evaluate(() => document.querySelector('.paged-place')?.textContent ?? '');
    const samples = [first];
    const tenth = rows / 10;
    let last = 0;
    while (!(await reached()).endsWith('the end')) {
      await scrollOn(page);
      const at = Number(/to ([\d,]+)/.exec(await reached())?.[1]?.replaceAll(',', '') ?? 0);
      if (at >= last + tenth) {
        last = at;
        samples.push(await measure());
      }
    }
    const end = await measure();
    console.log(
      `${list.name}, ${rows} rows: ${samples.map(({ megabytes }) => megabytes.toFixed(1)).join(', ')}, ${end.megabytes.toFixed(1)} MB, longest task ${longest.toFixed(0)} ms`,
    );
    await page.getByText(`file-${rows}`, { exact: true }).waitFor();
    expect(Math.max(...samples.map(({ shown }) => shown))).toBeLessThan(maxRowsInDocument);
    expect(longest).toBeLessThan(maxTaskMs);
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
  },
  3_600_000,
);
