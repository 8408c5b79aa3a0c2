import * as z from 'zod/mini';

import { pageAnswer, pageFileAnswer } from './page-files.ts';
import { group } from './route.ts';

/** The interface described for programs and for people; both are generated from the contract. */
export const openapi = group('openapi', ['/openapi.json', '/docs'], {
  getOpenapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This interface as an OpenAPI 3.1 document',
    isExtension: true,
    permission: 'open',
    answer: {
      kind: 'text',
      mediaType: 'application/json',
      replies: {
        200: { description: 'OK', content: { 'application/json': z.looseObject({ openapi: z.string() }) } },
        304: { description: 'The document is the one that `If-None-Match` names.' },
      },
    },
  },
  getDocs: {
    method: 'GET',
    path: '/docs',
    summary: 'This interface as a page to read, search and try',
    isExtension: true,
    permission: 'open',
    answer: pageAnswer,
  },
  getDocsFile: {
    method: 'GET',
    path: '/docs/:file',
    summary: 'A script, style sheet or picture of the reference; its name has a hash of its content',
    isExtension: true,
    permission: 'open',
    answer: pageFileAnswer,
    errors: { NotFound: 404 },
  },
});
