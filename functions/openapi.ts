import type { oas31 } from 'zod-openapi';

import { openapi } from '../lib/contract/openapi.ts';
import { createHandler } from '../lib/http/handler.ts';
import document from '../lib/openapi/openapi.json' with { type: 'json' };
import { cachePage } from '../lib/openapi/page/cached-page.ts';

const page = cachePage(document as unknown as oas31.OpenAPIObject, 'openapi.json');

/** The page is self-contained: the browser must load nothing and run nothing. */
const headers = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
};

export const handler = createHandler(openapi, {
  getOpenapi: () => document,
  getDocs: async () => ({ headers, body: page() }),
});
