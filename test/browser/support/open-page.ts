import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';

import { findBrowser } from './find-browser.ts';

/** A page in a browser, and what must not have happened in it. */
export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, violations of the Content-Security-Policy and requests to foreign hosts since it was opened. */
  readonly faults: readonly string[];
}

/** More than any step takes on a busy machine. */
const stepTimeoutMs = 40_000;

/** Sizes of screens. */
export const screens = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const;

/** Starts the browser. Throws an Error with a remedy if there is none. */
export async function openBrowser(): Promise<Browser> {
  // Containers that run as root have no sandbox.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: findBrowser(), args });
}

/** Opens the page of a server in a context of its own: nobody is logged in. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: screens.desktop,
    locale: 'en-GB',
    timezoneId: 'Europe/Zurich',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(stepTimeoutMs);
  countRequests(page);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted/i.test(message.text())) faults.push(`policy: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) faults.push(`foreign request: ${request.url()}`);
  });
  await page.goto(`${url}/`);
  return { page, context, faults };
}

/** Logs in with what is filled in, as on a reader's own machine. */
export async function logIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log in as root' }).click();
  await page.locator('.shell').waitFor();
}

/** Fills the empty catalogue of a server by the button of the page. */
export async function makeExampleData(browser: Browser, url: string): Promise<void> {
  const { page, context } = await openPage(browser, url);
  await logIn(page);
  await page.getByRole('button', { name: 'Make example data' }).click();
  await page.getByRole('link', { name: 'example', exact: true }).waitFor();
  await context.close();
}

/** Goes to a place of the page, and waits until its heading and its content are there. */
export async function visit(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, place);
  await page.locator('main h1').waitFor();
  await settle(page);
}

/** Holds requests back, by their URL and method, until the returned function is called. */
export async function hold(page: Page, url: RegExp, method = 'GET'): Promise<() => void> {
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() === method) await released;
    await route.continue();
  });
  return letGo;
}

const quietMs = 60;

/** Waits until nothing is loading any more. The stream of events does not count: it never ends. */
export async function settle(page: Page): Promise<void> {
  let quietSince = performance.now();
  const requests = openRequests.get(page);
  while (performance.now() - quietSince < quietMs) {
    await page.waitForFunction(() => document.querySelector('.loading') === null);
    if ((requests?.size ?? 0) > 0) quietSince = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const openRequests = new WeakMap<Page, Set<Request>>();

function countRequests(page: Page): void {
  const requests = new Set<Request>();
  openRequests.set(page, requests);
  page.on('request', (request) => !/\/events(\?|$)/.test(request.url()) && requests.add(request));
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => requests.delete(request));
}
