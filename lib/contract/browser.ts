import * as z from 'zod/mini';

import { pageAnswer, pageFileAnswer } from './page-files.ts';
import { group } from './route.ts';

const nameRule = z.object({
  pattern: z.string().check(z.meta({ description: 'A regular expression that must be found in the name' })),
  longest: z.nullable(z.int()).check(z.meta({ description: 'The most characters; null: the pattern tells' })),
});

/** Settings that the page reads before a log-in. */
export const pageSettings = z.object({
  version: z.string(),
  policy: z
    .object({
      name: z.string(),
      activities: z.array(z.string()),
      names: z.object({
        scope: nameRule,
        DATASET: nameRule,
        CONTAINER: nameRule,
        FILE: nameRule,
        account: nameRule,
        rse: nameRule,
      }),
    })
    .check(z.meta({ description: 'The policy of the server: the activities of its rules, and its names' })),
  issuers: z.array(z.string()).check(z.meta({ description: 'The OpenID issuers whose tokens are accepted' })),
  oidc: z
    .boolean()
    .check(
      z.meta({ description: 'Whether the page offers a log-in at an OpenID provider; false where none is registered' }),
    ),
  certificate: z.nullable(z.string()).check(
    z.meta({
      description: "Subject of the certificate that the caller's browser has shown to the gateway; null without one",
    }),
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
