import * as z from 'zod/mini';

import { pageAnswer, pageFileAnswer } from './page-files.ts';
import { group } from './route.ts';

/** Settings that the page reads before a log-in. */
export const pageSettings = z.object({
  version: z.string(),
  policy: z
    .object({ name: z.string(), activities: z.array(z.string()) })
    .check(z.meta({ description: 'The policy of the server, and the activities that its rules may name' })),
  issuers: z.array(z.string()).check(z.meta({ description: 'The OpenID issuers whose tokens are accepted' })),
  oidc: z
    .boolean()
    .check(
      z.meta({ description: 'Whether the page offers a log-in at an OpenID provider; false where none is registered' }),
    ),
  login: z.nullable(z.object({ account: z.string(), username: z.string(), password: z.nullable(z.string()) })).check(
    z.meta({
      description:
        'The first account of a server on this machine, and its password if it is the documented one; null for every other server and every other caller',
    }),
  ),
});

/** The page for browsers: static files, and the settings that it begins with. */
export const browser = group('browser', ['/', '/ui'], {
  redirectToPage: {
    method: 'GET',
    path: '/',
    summary: 'Redirect to the page for browsers',
    isExtension: true,
    permission: 'open',
    answer: { kind: 'redirect' },
  },
  getPage: {
    method: 'GET',
    path: '/ui',
    summary: 'The catalogue as a page for browsers',
    isExtension: true,
    permission: 'open',
    answer: pageAnswer,
  },
  getPageSettings: {
    method: 'GET',
    path: '/ui/settings',
    summary: 'What the page needs to know before a log-in',
    isExtension: true,
    permission: 'open',
    answer: { kind: 'json', schema: pageSettings },
  },
  getPageFile: {
    method: 'GET',
    path: '/ui/:file',
    summary: 'A script, style sheet or picture of the page; its name has a hash of its content',
    isExtension: true,
    permission: 'open',
    answer: pageFileAnswer,
    errors: { NotFound: 404 },
  },
});
