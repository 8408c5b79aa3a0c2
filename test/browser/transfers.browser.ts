import { expect, it } from 'vitest';

import { findOverflow, findViolations } from './support/looks.ts';
import { screens, visit } from './support/open-page.ts';
import { exampleSite } from './support/site.ts';

const { call, openAt } = exampleSite();

interface Leased {
  readonly scope: string;
  readonly name: string;
  readonly lease: string;
  readonly adler32: string;
}

it('transfers by link, rule and state have a rate and the time left once some have ended; the past is told by time', async () => {
  const wish = { holder: 'mover-7', dst_rse: 'LYON_TAPE', limit: 3 };
  const leased = (await (await call('POST', '/requests/lease', wish)).json()) as Leased[];
  expect(leased).toHaveLength(3);
  const { page, context, faults } = await openAt('#/requests?tab=totals&dst=LYON_TAPE');
  const byLink = page.getByRole('table', { name: 'Transfers by link' });
  await byLink
    .getByRole('row', { name: /LYON_TAPE/ })
    .getByText('not known')
    .waitFor();
  await page
    .getByRole('table', { name: 'Transfers by state' })
    .getByRole('row', { name: /submitt/ })
    .waitFor();
  await page.getByText('0 transfers ended since you came').waitFor();

  const [done, failed, other] = leased;
  const end = (of: Leased | undefined, told: object) => ({
    scope: of?.scope,
    name: of?.name,
    lease: of?.lease,
    adler32: of?.adler32,
    ...told,
  });
  await call('POST', '/requests/report', {
    rse: 'LYON_TAPE',
    requests: [end(done, { state: 'DONE' }), end(failed, { state: 'FAILED', err_msg: 'TRANSFER no route' })],
  });
  // A reader who comes back to the page sees what there is now.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.getByText('1 transfer ended since you came').waitFor();
  await byLink.getByRole('row', { name: /LYON_TAPE.*[kMG]B\/s.*(second|minute|hour)/ }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize(screens.phone);
  expect(await findOverflow(page)).toBe(0);
  await page.setViewportSize(screens.desktop);

  // A job of an FTS3 server leads to the monitor of the server; any other address stays a text.
  const submit = (job: object) =>
    call('POST', '/requests/report', { rse: 'LYON_TAPE', requests: [end(other, { state: 'SUBMITTED', ...job })] });
  await submit({ external_id: 'f0-1/2', external_host: 'https://fts.example.org:8446' });
  await visit(page, '#/requests?dst=LYON_TAPE');
  const job = page.getByRole('link', { name: 'f0-1/2' });
  expect(await job.getAttribute('href')).toBe('https://fts.example.org:8449/fts3/ftsmon/#/job/f0-1%2F2');
  await submit({ external_id: 'f0-3', external_host: 'javascript:alert(1)' });
  await page.reload();
  await page.getByText('f0-3', { exact: true }).waitFor();
  expect(await page.locator('a', { hasText: 'f0-3' }).count()).toBe(0);

  await visit(page, '#/requests?tab=history&dst=LYON_TAPE');
  await page.getByRole('button', { name: 'By day' }).click();
  const byDay = page.getByRole('table', { name: 'Past attempts by day' });
  await expect
    .poll(() => byDay.locator('tbody td').allTextContents())
    .toEqual([expect.stringMatching(/\d{4}/), '1', expect.stringMatching(/B$/), '1']);
  await page.getByRole('button', { name: 'By hour' }).click();
  await page.getByRole('table', { name: 'Past attempts by hour' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});
