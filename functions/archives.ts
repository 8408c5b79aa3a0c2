import { archives } from '../lib/contract/archives.ts';
import { createHandler } from '../lib/http/handler.ts';
import { listArchiveContent } from '../lib/operations/archives/list-archive-content.ts';

export const handler = createHandler(archives, {
  listArchiveContent: (context, { params, page }) => listArchiveContent(context, params.did, page),
});
