import * as z from 'zod/mini';

import { oidc } from './oidc.ts';
import { group } from './route.ts';
import { date } from './schemas/common.ts';

const octets = 'application/octet-stream';

const token = z.string().check(z.meta({ description: 'Token, for the header `X-Rucio-Auth-Token`' }));
const vo = z.optional(z.string()).check(z.meta({ description: 'Virtual organisation; only `def` exists' }));
const account = z.string().check(z.meta({ description: 'Account to act for' }));

const certificateLogin = {
  method: 'GET',
  summary: "Token for the client certificate of the gateway's mutual TLS",
  permission: 'open',
  accept: octets,
  headers: z.object({
    'X-Rucio-Account': z.optional(account).check(
      z.meta({
        description: 'Account to act for; absent: the only or the default one of the subject',
      }),
    ),
    'X-Rucio-Allow-Return-Multiple-Accounts': z
      .optional(z.string())
      .check(z.meta({ description: '`true`: the client accepts a list of accounts to choose from' })),
    'X-Rucio-VO': vo,
  }),
  answer: {
    kind: 'text',
    mediaType: octets,
    replies: {
      200: {
        description: 'The token is in the headers; the body is empty.',
        headers: z.object({
          'X-Rucio-Auth-Token': token,
          'X-Rucio-Auth-Token-Expires': date,
          'X-Rucio-Auth-Account': z.string().check(z.meta({ description: 'Account that the token acts for' })),
        }),
      },
      206: {
        description: 'The subject belongs to several accounts and none is its default: name one of them.',
        headers: z.object({
          'X-Rucio-Auth-Accounts': z
            .string()
            .check(z.meta({ description: 'Accounts to choose from, separated by commas' })),
        }),
      },
    },
  },
  errors: { CannotAuthenticate: 401, IdentityError: 401 },
  otherErrors: [['RucioException', 400]],
} as const;

/** Obtaining and checking tokens (spec/access.md 1.3). The answers are in headers. */
export const auth = group('auth', ['/auth'], {
  logIn: {
    method: 'GET',
    path: '/auth/userpass',
    summary: 'Token for a username and a password',
    permission: 'open',
    accept: octets,
    headers: z.object({
      'X-Rucio-Username': z.string().check(z.meta({ description: 'Username' })),
      'X-Rucio-Password': z.string().check(z.meta({ description: 'Password' })),
      'X-Rucio-Account': z
        .optional(z.string())
        .check(z.meta({ description: 'Account to act for; absent: the only or the default one of the username' })),
      'X-Rucio-VO': z.optional(z.string()).check(z.meta({ description: 'Virtual organisation; only `def` exists' })),
    }),
    answer: {
      kind: 'text',
      mediaType: octets,
      replies: {
        200: {
          description: 'The token is in the headers; the body is empty.',
          headers: z.object({
            'X-Rucio-Auth-Token': z.string().check(z.meta({ description: 'Token, for the header of the same name' })),
            'X-Rucio-Auth-Token-Expires': date,
            'X-Rucio-Auth-Account': z.string().check(z.meta({ description: 'Account that the token acts for' })),
          }),
        },
        206: {
          description: 'The username belongs to several accounts and none is its default: name one of them.',
          headers: z.object({
            'X-Rucio-Auth-Accounts': z
              .string()
              .check(z.meta({ description: 'Accounts to choose from, separated by commas' })),
          }),
        },
      },
    },
    // Failed logins are counted.
    writes: true,
    errors: { CannotAuthenticate: 401, IdentityError: 401 },
    otherErrors: [
      ['RucioException', 400],
      ['CannotAuthenticate', 429],
    ],
  },
  logInWithX509: { ...certificateLogin, path: '/auth/x509' },
  logInWithProxy: { ...certificateLogin, path: '/auth/x509_proxy' },
  logInToWebUi: { ...certificateLogin, path: '/auth/x509/webui' },
  getSshChallenge: {
    method: 'GET',
    path: '/auth/ssh_challenge_token',
    summary: 'Challenge that the owner of an account signs with an SSH key',
    permission: 'open',
    accept: octets,
    headers: z.object({ 'X-Rucio-Account': account, 'X-Rucio-VO': vo }),
    answer: {
      kind: 'text',
      mediaType: octets,
      replies: {
        200: {
          description: 'The challenge is in the headers; the body is empty.',
          headers: z.object({
            'X-Rucio-SSH-Challenge-Token': z.string().check(z.meta({ description: 'The challenge to sign' })),
            'X-Rucio-SSH-Challenge-Token-Expires': date,
          }),
        },
      },
    },
    errors: { ValueError: 400, CannotAuthenticate: 401 },
    otherErrors: [['RucioException', 400]],
  },
  logInWithSsh: {
    method: 'GET',
    path: '/auth/ssh',
    summary: 'Token for a challenge signed with an RSA key of the account',
    permission: 'open',
    accept: octets,
    headers: z.object({
      'X-Rucio-Account': account,
      'X-Rucio-SSH-Signature': z.string().check(z.meta({ description: 'SSH signature of the challenge, in base64' })),
      'X-Rucio-VO': vo,
    }),
    answer: {
      kind: 'text',
      mediaType: octets,
      replies: {
        200: {
          description: 'The token is in the headers; the body is empty.',
          headers: z.object({ 'X-Rucio-Auth-Token': token, 'X-Rucio-Auth-Token-Expires': date }),
        },
      },
    },
    errors: { ValueError: 400, CannotAuthenticate: 401 },
    otherErrors: [['RucioException', 400]],
  },
  logInWithGss: {
    method: 'GET',
    path: '/auth/gss',
    summary: 'Always refused: API Gateway does not support Kerberos',
    permission: 'open',
    accept: octets,
    answer: { kind: 'text', mediaType: octets },
    errors: { ValueError: 400 },
  },
  ...oidc,
  validateToken: {
    method: 'GET',
    path: '/auth/validate',
    summary: 'Content of a token, as the text of a Python dictionary',
    permission: 'open',
    accept: octets,
    headers: z.object({ 'X-Rucio-Auth-Token': z.string().check(z.meta({ description: 'Token to check' })) }),
    answer: { kind: 'text', mediaType: octets },
    errors: { CannotAuthenticate: 401, ValueError: 400 },
  },
});
