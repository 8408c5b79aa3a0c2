import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { call, expectError } from '../support/server.ts';

/** Files that a browser fetches before the page can be used: the HTML and all that it names. */
async function loadFirstPage() {
  const page = await call('GET', '/ui/');
  const names = [...page.text.matchAll(/ (?:src|href)="([\w.-]+)"/g)].map(([, name = '']) => name);
  const files = await Promise.all(names.map(async (name) => ({ name, answer: await call('GET', `/ui/${name}`) })));
  return { page, files };
}

/** In bytes, compressed. The limit that the page was made for is 60,000; this one is close above the present size. */
const firstPageBudget = 32_000;

describe('the page for browsers', () => {
  it('is where the root leads', async () => {
    const answer = await call('GET', '/');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toMatch(/\/ui\/$/);
  });

  it.each(['/ui', '/ui/'])('is served at %s and finds its files from there', async (path) => {
    const answer = await call('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toMatch(/<base href="(\/\w+)?\/ui\/"/);
  });

  it('may run its own scripts only, call its own server only, and be shown in no frame', async () => {
    const { headers } = await call('GET', '/ui/');
    expect(headers.get('Content-Security-Policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
  });

  it('is asked for each time, and is not sent again while it is the same', async () => {
    const { headers } = await call('GET', '/ui/');
    expect(headers.get('Cache-Control')).toBe('no-cache');
    const tag = headers.get('ETag') ?? '';
    for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const again = await call('GET', '/ui/', { headers: { 'If-None-Match': known } });
      expect(`${again.status} ${again.text}`, known).toBe('304 ');
      expect(again.headers.get('ETag')).toBe(tag);
    }
    expect((await call('GET', '/ui/', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  it('answers HEAD without a body', async () => {
    const answer = await call('HEAD', '/ui/');
    expect(`${answer.status} ${answer.text}`).toBe('200 ');
  });

  it('names files of its own only, by a hash of their content, and has no inline script or style', async () => {
    const { page, files } = await loadFirstPage();
    expect(files.length).toBeGreaterThan(2);
    for (const { name } of files) expect(name).toMatch(/-[A-Z0-9]{8}\.(js|css|svg)$/);
    expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  });

  it('lets its files be kept for good', async () => {
    const { files } = await loadFirstPage();
    const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
    for (const { name, answer } of files) {
      expect(answer.status, name).toBe(200);
      expect(answer.headers.get('Cache-Control'), name).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('Content-Type')).toBe(`${types[name.split('.').at(-1) ?? '']}; charset=utf-8`);
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      const tag = answer.headers.get('ETag') ?? '';
      expect((await call('GET', `/ui/${name}`, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    }
  });

  it('is small', async () => {
    const { page, files } = await loadFirstPage();
    const bodies = [page.text, ...files.map(({ answer }) => answer.text)];
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
    expect(bytes).toBeLessThan(firstPageBudget);
  });

  it.each(['none.js', 'main.js', '..%2Fpackage.json', '__proto__', 'constructor', '%00'])(
    'has no file %s',
    async (name) => {
      const answer = await call('GET', `/ui/${name}`);
      expectError(answer, 404, 'NotFound', 'The requested URL was not found on the server.');
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
    },
  );
});
