import { archives } from '../lib/contract/archives.ts';
import { listArchiveContent } from '../lib/domain/archives/list-archive-content.ts';
import { createHandler } from '../lib/http/handler.ts';

export const handler = createHandler(archives, {
  listArchiveContent: (context, { params, page }) => listArchiveContent(context, params.did, page),
});
