import { openapi } from '../lib/contract/openapi.ts';
import { baseMark } from '../lib/contract/page-files.ts';
import { createHandler } from '../lib/http/handler.ts';
import { replyWithDocument, replyWithFile, replyWithPage } from '../lib/http/page-reply.ts';
import document from '../lib/openapi/openapi.json' with { type: 'json' };
import { findPageFile, loadPageFiles } from '../lib/operations/browser/page-files.ts';

const text = JSON.stringify(document);

export const handler = createHandler(openapi, {
  getOpenapi: async (_context, { headers }) => replyWithDocument(text, headers),
  getDocs: async (_context, { basePath, headers }) => {
    const { html } = await loadPageFiles('openapi');
    return replyWithPage(html.replaceAll(baseMark, `${basePath}/docs/`), headers);
  },
  getDocsFile: async (_context, { params, headers }) =>
    replyWithFile(await findPageFile('openapi', params.file), headers),
});
