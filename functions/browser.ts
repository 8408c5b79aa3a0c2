import { browser } from '../lib/contract/browser.ts';
import { baseMark } from '../lib/contract/page-files.ts';
import { createHandler } from '../lib/http/handler.ts';
import { replyWithFile, replyWithPage } from '../lib/http/page-reply.ts';
import { findPageFile, loadPageFiles } from '../lib/operations/browser/page-files.ts';
import { readPageSettings } from '../lib/operations/browser/read-page-settings.ts';
import packageJson from '../package.json' with { type: 'json' };

export const handler = createHandler(browser, {
  redirectToPage: (_context, { basePath }) => ({ location: `${basePath}/ui/` }),
  getPage: async (_context, { basePath, headers }) => {
    const { html } = await loadPageFiles('browser');
    return replyWithPage(html.replaceAll(baseMark, `${basePath}/ui/`), headers);
  },
  getPageSettings: (_context, caller) => readPageSettings(packageJson.version, caller),
  getPageFile: async (_context, { params, headers }) =>
    replyWithFile(await findPageFile('browser', params.file), headers),
});
