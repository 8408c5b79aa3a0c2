import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Time of the processor, in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

const categories = ['disabled-by-default-devtools.timeline', '__metadata'];

/**
 * The processor's time of the longest task of a page while something happens, in milliseconds: as long the page does not answer
 * its reader. Other programs on the machine do not count.
 */
export async function measureLongestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories });
  await act();
  const { traceEvents: events } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const main = events.find(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const times = events
    .filter(({ name, pid, tid }) => name === 'RunTask' && pid === main?.pid && tid === main.tid)
    .map(({ tdur = 0 }) => tdur / 1000);
  if (times.length === 0) throw new Error('The trace holds no task of the page');
  return Math.max(...times);
}
