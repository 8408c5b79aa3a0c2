import { openapi } from '../lib/contract/openapi.ts';
import { baseMark } from '../lib/contract/page-files.ts';
import { createHandler } from '../lib/http/handler.ts';
import { replyWithDocument, replyWithFile, replyWithPage } from '../lib/http/page-reply.ts';
import { loadDocument } from '../lib/operations/browser/openapi-document.ts';
import { findPageFile, loadPageFiles } from '../lib/operations/browser/page-files.ts';

export const handler = createHandler(openapi, {
  getOpenapi: async (_context, { headers }) => replyWithDocument(await loadDocument(), headers),
  getDocs: async (_context, { basePath, headers }) => {
    const { html } = await loadPageFiles('openapi');
    return replyWithPage(html.replaceAll(baseMark, `${basePath}/docs/`), headers);
  },
  getDocsFile: async (_context, { params, headers }) =>
    replyWithFile(await findPageFile('openapi', params.file), headers),
});
