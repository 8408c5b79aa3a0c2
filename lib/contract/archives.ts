import { group } from './route.ts';
import { archiveLine } from './schemas/did-lists.ts';

/** Archives: files that hold files (spec/dids.md 2.27). */
export const archives = group('archives', ['/archives'], {
  listArchiveContent: {
    method: 'GET',
    path: '/archives/**:scope_name/files',
    summary: 'Files in an archive',
    permission: 'any',
    accept: 'application/x-json-stream',
    pages: true,
    answer: { kind: 'stream', schema: archiveLine },
    errors: { DataIdentifierNotFound: 404 },
  },
});
