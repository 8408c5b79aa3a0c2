import type { oas31 } from 'zod-openapi';

import { openapi } from '../lib/contract/openapi.ts';
import { createHandler } from '../lib/http/handler.ts';
import document from '../lib/openapi/openapi.json' with { type: 'json' };
import { toPage } from '../lib/openapi/page/page.ts';

/** Written when it is first asked for: the document is asked for more often. */
let page: string | undefined;

/** The page brings everything with it: nothing may be loaded, nothing may run. */
const headers = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
};

export const handler = createHandler(openapi, {
  getOpenapi: () => document,
  getDocs: async () => {
    page ??= toPage(document as unknown as oas31.OpenAPIObject, 'openapi.json');
    return { headers, body: page };
  },
});
