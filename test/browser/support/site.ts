import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

import type { LocalServer } from '../../../local/server.ts';
import { logIn, makeExampleData, openBrowser, openPage, type OpenPage, visit } from './open-page.ts';
import { type Call, logInAt, startCatalogue } from './seeded-server.ts';

/** The one browser and the one server of a file of tests. They are there once its hooks have run. */
export interface Site {
  readonly browser: Browser;
  /** The address of the server, without a slash at its end. */
  readonly url: string;
  /** Calls the interface of the server as root. */
  readonly call: Call;
  /** Opens the page: nobody is logged in. */
  readonly open: (options?: BrowserContextOptions) => Promise<OpenPage>;
  /** Opens the page, where root is logged in. */
  readonly openLoggedIn: (options?: BrowserContextOptions) => Promise<OpenPage>;
  /** Opens a place of the page, where root is logged in. */
  readonly openAt: (place: string, options?: BrowserContextOptions) => Promise<OpenPage>;
}

/** The site of a file whose tests begin with an empty catalogue. Its hooks run before those that the file adds later. */
export function emptySite(): Site {
  return prepareSite(() => Promise.resolve());
}

/** The site of a file whose tests begin with the example data. Its hooks run before those that the file adds later. */
export function exampleSite(): Site {
  return prepareSite(makeExampleData);
}

/** Registers the hooks that start a browser and a server, fill its catalogue, and close both after the tests. */
function prepareSite(fill: (browser: Browser, url: string) => Promise<void>): Site {
  let browser: Browser;
  let server: LocalServer;
  let call: Call;

  beforeAll(async () => {
    browser = await openBrowser();
    server = await startCatalogue();
    await fill(browser, server.url);
    call = await logInAt(server);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = (options?: BrowserContextOptions) => openPage(browser, server.url, options);
  const openLoggedIn = async (options?: BrowserContextOptions) => {
    const opened = await open(options);
    await logIn(opened.page);
    return opened;
  };
  return {
    get browser() {
      return browser;
    },
    get url() {
      return server.url;
    },
    call: (method, path, body) => call(method, path, body),
    open,
    openLoggedIn,
    openAt: async (place, options) => {
      const opened = await openLoggedIn(options);
      await visit(opened.page, place);
      return opened;
    },
  };
}
