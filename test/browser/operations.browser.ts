import { describe, expect, it } from 'vitest';

import { measureLongestTask } from './support/longest-task.ts';
import { visit } from './support/open-page.ts';
import { emptySite } from './support/site.ts';

const site = emptySite();
const { openLoggedIn } = site;

const bulk = 50_000;

/** The longest time that one task may keep the page from its reader. */
const longestTaskMs = 100;

/** The events of a bulk registration in this minute, as `GET /events` sends them. To make them would take the engine minutes. */
function bulkEvents(): string {
  const time = new Date().toISOString();
  const lines = Array.from({ length: bulk }, (_unused, i) => {
    const subject = `bulk:file-${i >> 1}.root`;
    const event = {
      specversion: '1.0',
      id: `event-${i}`,
      source: '/dapple',
      type: i % 2 === 0 ? 'CREATE_FILE' : 'ADD_REPLICA',
      subject,
      time,
      datacontenttype: 'application/json',
      data: { scope: 'bulk', name: `file-${i >> 1}.root`, bytes: 1_000_000 + i, adler32: '0cc737eb', rse: 'SITE_DISK' },
    };
    return `id: ${i}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  });
  return lines.join('');
}

describe.each(['operations', 'events'])('the page of %s after a bulk registration of 25,000 files', (place) => {
  it('answers its reader all the time', async () => {
    const { page, context, faults } = await openLoggedIn();
    // The first answer holds them, and the next one waits for more.
    let isFirst = true;
    await page.route(/\/events(\?|$)/, async (route) => {
      if (isFirst) await route.fulfill({ contentType: 'text/event-stream', body: bulkEvents() });
      isFirst = false;
    });
    const seen = place === 'operations' ? /50,000 events in 10 minutes/ : /50,000 events, the newest first/;
    const longest = await measureLongestTask(site.browser, page, async () => {
      await visit(page, `#/${place}`);
      await page.getByText(seen).waitFor();
    });
    expect(longest).toBeLessThan(longestTaskMs);
    expect(faults).toEqual([]);
    await context.close();
  });
});
