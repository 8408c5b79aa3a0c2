import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { projectRoot } from '../../infra/project-root.ts';
import { logIn, makeExampleData, openBrowser, openPage, screens, settle, visit } from './support/open-page.ts';
import { findRule, logInAt, startCatalogue } from './support/seeded-server.ts';

/** The pictures of the README: name, place, theme. */
const pictures = [
  ['rule-dark', 'stuck rule', 'dark'],
  ['did-light', '#/did/example/data.358034.AOD?tab=replicas', 'light'],
  ['new-rule-light', '#/new-rule?did=example:data.358034.RAW&rses=rse_type%3DDISK|rse_type%3DTAPE', 'light'],
] as const;

const quality = 0.8;
const maxBytes = 120_000;

/** A picture in a format that takes a third of the space. */
async function toWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const encoded = await page.evaluate(
    async ({ source, share }) => {
      const image = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      const bytes = new Uint8Array(
        await (await canvas.convertToBlob({ type: 'image/webp', quality: share })).arrayBuffer(),
      );
      return bytes.reduce((text, byte) => text + String.fromCodePoint(byte), '');
    },
    { source: `data:image/png;base64,${png.toString('base64')}`, share: quality },
  );
  await page.close();
  return Buffer.from(encoded, 'latin1');
}

// npm run docs -- screenshots
const folder = join(projectRoot, 'docs/screenshots');
mkdirSync(folder, { recursive: true });
const browser = await openBrowser();
const server = await startCatalogue();
try {
  await makeExampleData(browser, server.url);
  const call = await logInAt(server);
  const id = await findRule(call, 'STUCK');
  for (const [name, place, colorScheme] of pictures) {
    const { page, context } = await openPage(browser, server.url, { colorScheme, viewport: screens.desktop });
    await logIn(page);
    await visit(page, place === 'stuck rule' ? `#/rule/${id}` : place);
    await settle(page);
    const picture = await toWebp(browser, await page.screenshot());
    if (picture.length > maxBytes) throw new Error(`${name} has ${picture.length} bytes, more than ${maxBytes}`);
    writeFileSync(join(folder, `${name}.webp`), picture);
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}
