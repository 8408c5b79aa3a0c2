import { group } from './route.ts';

const octets = 'application/octet-stream';

/** How a token is obtained and checked (spec/access.md 1.3). The answers are in headers. */
export const auth = group('auth', ['/auth'], {
  logIn: {
    method: 'GET',
    path: '/auth/userpass',
    summary: 'Token for a username and a password',
    permission: 'open',
    accept: octets,
    answer: { kind: 'text', mediaType: octets },
    // Failed log-ins are counted.
    writes: true,
    errors: { CannotAuthenticate: 401, IdentityError: 401, IdentityNotFound: 401 },
  },
  validateToken: {
    method: 'GET',
    path: '/auth/validate',
    summary: 'Content of a token, as the text of a Python dictionary',
    permission: 'open',
    accept: octets,
    answer: { kind: 'text', mediaType: octets },
    errors: { CannotAuthenticate: 401, ValueError: 400 },
  },
});
