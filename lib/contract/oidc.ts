import * as z from 'zod/mini';

import type { Routes } from './route.ts';

const octets = 'application/octet-stream';
const html = 'text/html';
const page = 'text/html; charset=utf-8';

const about = (description: string) => z.optional(z.string()).check(z.meta({ description }));

const vo = about('Virtual organisation; only `def` exists');

/** The routes of the group `auth` for log-ins at OpenID providers (spec/access.md 1.7). */
export const oidc = {
  requestOidcLogin: {
    method: 'GET',
    path: '/auth/oidc',
    summary: 'URL at which a user begins a log-in at an OpenID provider',
    permission: 'open',
    accept: octets,
    headers: z.object({
      'X-Rucio-Account': about('Account to act for; absent: the default or the oldest one of the identity'),
      'X-Rucio-Client-Authorize-Scope': about('Scopes, `openid profile` among them; absent: these'),
      'X-Rucio-Client-Authorize-Audience': about('Audiences, `rucio` among them; absent: it'),
      'X-Rucio-Client-Authorize-Issuer': about('Id of the provider; absent: the first one'),
      'X-Rucio-Client-Authorize-Polling': about('`True`: the client will ask for the token again and again'),
      'X-Rucio-Client-Authorize-Refresh-Lifetime': about('Hours for which tokens can be refreshed, or `None`: 96'),
      'X-Rucio-VO': vo,
    }),
    answer: {
      kind: 'text',
      mediaType: octets,
      replies: {
        200: {
          description: 'The URL is in the headers; the body is empty.',
          headers: z.object({
            'X-Rucio-OIDC-Auth-URL': z.string().check(z.meta({ description: 'URL for the browser of the user' })),
          }),
        },
      },
    },
    writes: true,
    errors: { CannotAuthenticate: 401 },
    otherErrors: [['RucioException', 400]],
  },
  continueOidcLogin: {
    method: 'GET',
    path: '/auth/oidc_redirect',
    summary: 'Redirect to the provider or, for the client, the token; the query is the ticket or the code alone',
    permission: 'open',
    accept: [html, octets],
    headers: z.object({ 'X-Rucio-Client-Fetch-Token': about('`True`: answer the token, once') }),
    answer: {
      kind: 'text',
      mediaType: page,
      replies: {
        200: {
          description: 'The token is in the headers; the body is empty.',
          headers: z.object({
            'X-Rucio-Auth-Token': z
              .string()
              .check(z.meta({ description: 'Token, for the header `X-Rucio-Auth-Token`' })),
          }),
        },
        303: {
          description: 'The user logs in at the provider.',
          headers: z.object({ Location: z.string().check(z.meta({ description: 'The page of the provider' })) }),
        },
      },
    },
    writes: true,
    errors: { CannotAuthenticate: 401, ResourceTemporaryUnavailable: 503 },
  },
  finishOidcLogin: {
    method: 'GET',
    path: '/auth/oidc_code',
    summary: 'Address to which the provider sends the browser; a page with the code for the client',
    permission: 'open',
    accept: [html, octets],
    query: z.object({
      code: about('Authorization code of the provider'),
      state: about('State of the authorization request'),
    }),
    answer: { kind: 'text', mediaType: page },
    writes: true,
    errors: { CannotAuthenticate: 401, ResourceTemporaryUnavailable: 503 },
  },
  refreshOidcToken: {
    method: 'GET',
    path: '/auth/oidc_refresh',
    summary: 'New token for one of a log-in at an OpenID provider',
    permission: 'open',
    accept: octets,
    headers: z.object({
      'X-Rucio-Account': z.string().check(z.meta({ description: 'Account of the token' })),
      'X-Rucio-Auth-Token': z.string().check(z.meta({ description: 'Token to refresh' })),
    }),
    answer: {
      kind: 'text',
      mediaType: octets,
      replies: {
        200: {
          description: 'The token is in the headers; both are empty where nothing can be refreshed.',
          headers: z.object({
            'X-Rucio-Auth-Token': z.string().check(z.meta({ description: 'The token to use from now on' })),
            'X-Rucio-Auth-Token-Expires': z
              .string()
              .check(z.meta({ description: 'When it ends, in seconds since 1970' })),
          }),
        },
      },
    },
    writes: true,
    errors: { CannotAuthorize: 401, ResourceTemporaryUnavailable: 503 },
  },
} as const satisfies Routes;
