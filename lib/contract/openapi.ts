import * as z from 'zod/mini';

import { group } from './route.ts';

/** The interface described for programs and for people; both are generated from the contract. */
export const openapi = group('openapi', ['/openapi.json', '/docs'], {
  getOpenapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This interface as an OpenAPI 3.1 document',
    isExtension: true,
    permission: 'open',
    answer: { kind: 'json', schema: z.looseObject({ openapi: z.string() }) },
  },
  getDocs: {
    method: 'GET',
    path: '/docs',
    summary: 'This interface as a page to read',
    isExtension: true,
    permission: 'open',
    answer: { kind: 'text', mediaType: 'text/html; charset=utf-8' },
  },
});
