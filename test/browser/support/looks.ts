import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';

import { settle } from './open-page.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Themes and screens. A half of the looks shows what both halves would; `LOOKS=all` tests each. */
const allLooks = [
  { colorScheme: 'light', screen: 'desktop' },
  { colorScheme: 'dark', screen: 'phone' },
  { colorScheme: 'dark', screen: 'desktop' },
  { colorScheme: 'light', screen: 'phone' },
] as const;
export const looks = process.env['LOOKS'] === 'all' ? allLooks : allLooks.slice(0, 2);

/** The rules of WCAG 2.2 AA, and axe's own, that the page breaks. */
export async function findViolations(page: Page): Promise<string[]> {
  await settle(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: tool } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    const { violations } = await tool.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
}

/** The pixels by which the page is wider than the screen. */
export function findOverflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}
