import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { buildPage } from '../../infra/build-page.ts';
import { pageNames } from '../../lib/contract/page-files.ts';
import { listen } from '../../local/engine/src/listen.ts';
import { loadGateway } from '../../local/load-gateway.ts';
import { loadPage } from '../../local/page-cache.ts';
import { baseUrl } from '../support/run.ts';
import { resourcesOf, templateOf } from './template.ts';

interface FunctionProperties {
  readonly Description?: string;
  readonly Environment?: { readonly Variables?: Readonly<Record<string, unknown>> };
}

const functionsOf = (context: Record<string, string>) =>
  resourcesOf<FunctionProperties>(templateOf(context), 'AWS::Lambda::Function').map(([, { Properties }]) => Properties);

const pathsOf = (context: Record<string, string>) =>
  resourcesOf<{ PathPart: string }>(templateOf(context), 'AWS::ApiGateway::Resource').map(
    ([, { Properties }]) => Properties.PathPart,
  );

describe('the page in the stack', () => {
  it('has a function of its own', () => {
    expect(functionsOf({}).map(({ Description }) => Description)).toContain('Dapple, endpoints / /ui');
    expect(pathsOf({})).toContain('ui');
  });

  it('is not deployed with browser=off', () => {
    const context = { browser: 'off' };
    expect(functionsOf(context).map(({ Description }) => Description)).not.toContain('Dapple, endpoints / /ui');
    expect(pathsOf(context)).not.toContain('ui');
  });

  it('is told no log-in', () => {
    const names = functionsOf({}).flatMap(({ Environment }) => Object.keys(Environment?.Variables ?? {}));
    expect(names).toContain('TABLE_NAME');
    expect(names).not.toContain('LOCAL_LOGIN');
  });
});

describe.each(pageNames)('the built page of %s', (name) => {
  it('is the same for the same sources, so that its files keep their names', async () => {
    const [one, other] = await Promise.all([buildPage(name), buildPage(name)]);
    expect(one).toEqual(other);
    expect(await loadPage(name)).toEqual(one.page);
  });

  it('contains no address of another host', async () => {
    const { page } = await buildPage(name);
    const texts = Object.values(page.files).map(({ text }) => text);
    const addresses = texts.flatMap((text) => text.match(/https?:\/\/[\w.-]+/g) ?? []);
    // Names of XML, and the hosts of the example data, which nobody calls.
    expect([...new Set(addresses)].filter((address) => !/www\.w3\.org/.test(address))).toEqual([]);
  });
});

describe('the catalogue', () => {
  it('fetches pages other than the first when they are visited', async () => {
    const { page } = await buildPage('browser');
    const later = Object.keys(page.files).filter((name) => !page.html.includes(name));
    expect(later.length).toBeGreaterThan(10);
  });

  it('shows its first page, log-in and home, with 45 KB at most', async () => {
    const { page } = await buildPage('browser');
    const isHome = (text: string) => text.includes('What concerns');
    const wanted = Object.entries(page.files).filter(([name, { text }]) => page.html.includes(name) || isHome(text));
    expect(wanted.filter(([, { text }]) => isHome(text))).toHaveLength(1);
    const texts = [page.html, ...wanted.map(([, { text }]) => text)];
    expect(texts.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThan(45_000);
  });
});

describe('a server that streams', () => {
  it('sends the files of the page compressed to whoever accepts that', async () => {
    const url = `${await baseUrl()}/ui/`;
    const name = /src="([\w-]+\.js)"/.exec(await (await fetch(url)).text())?.[1] ?? '';
    const [packed, plain] = await Promise.all(
      ['gzip', 'identity'].map((coding) => fetch(url + name, { headers: { 'Accept-Encoding': coding } })),
    );
    expect(packed?.headers.get('Content-Encoding')).toBe('gzip');
    expect(plain?.headers.get('Content-Encoding')).toBeNull();
    expect(packed?.headers.get('Vary')).toContain('Accept-Encoding');
    expect(await packed?.text()).toBe(await plain?.text());
  });
});

describe('a local server without the page', () => {
  it('answers 404 where it would be', async () => {
    const listener = await listen(0, await loadGateway({ browser: false }, () => {}));
    try {
      for (const path of ['/', '/ui', '/ui/settings'])
        expect((await fetch(`http://127.0.0.1:${listener.port}${path}`)).status, path).toBe(404);
    } finally {
      await listener.close();
    }
  });
});
