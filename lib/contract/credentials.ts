import { group, type Route } from './route.ts';
import { signQuery } from './schemas/credentials.ts';

const octets = 'application/octet-stream';

const sign = {
  method: 'GET',
  permission: 'get_signed_url',
  accept: octets,
  query: signQuery,
  answer: { kind: 'text', mediaType: 'text/html; charset=utf-8' },
  errors: { ValueError: 400, ConfigurationError: 400, UnsupportedOperation: 400, AccessDenied: 401, RSENotFound: 404 },
} as const satisfies Omit<Route, 'path' | 'summary'>;

/** Signed URLs of object stores (spec/access.md 6.7). */
export const credentials = group('credentials', ['/credentials'], {
  signUrl: {
    ...sign,
    path: '/credentials/signurl',
    summary: "A URL of an RSE, signed for one operation with the RSE's credentials",
  },
  signUrlShort: { ...sign, path: '/credentials/signur', summary: "Rucio's other spelling of signUrl" },
});
