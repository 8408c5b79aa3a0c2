import { join } from 'node:path';

import { projectRoot } from '../../infra/project-root.ts';
import { logIn, makeExampleData, openBrowser, openPage, screens, settle, visit } from './support/open-page.ts';
import { findRule, logInAt, startCatalogue } from './support/seeded-server.ts';

/** The pictures of docs/screenshots: name, place, theme, screen. */
const pictures = [
  ['search-light', '#/search?q=example:data&f=run_number%3D358034', 'light', 'desktop'],
  ['replicas-light', '#/did/example/data.358034.AOD?tab=replicas', 'light', 'desktop'],
  ['rule-dark', 'stuck rule', 'dark', 'desktop'],
  ['rses-dark', '#/rses', 'dark', 'desktop'],
  ['rules-phone-light', '#/rules', 'light', 'phone'],
  ['rule-phone-dark', 'stuck rule', 'dark', 'phone'],
] as const;

// npm run docs -- screenshots
const browser = await openBrowser();
const server = await startCatalogue();
try {
  await makeExampleData(browser, server.url);
  const call = await logInAt(server);
  const id = await findRule(call, 'STUCK');
  for (const [name, place, colorScheme, screen] of pictures) {
    const { page, context } = await openPage(browser, server.url, { colorScheme, viewport: screens[screen] });
    await logIn(page);
    await visit(page, place === 'stuck rule' ? `#/rule/${id}` : place);
    await settle(page);
    await page.screenshot({ path: join(projectRoot, `docs/screenshots/${name}.png`) });
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}
