import * as z from 'zod/mini';

import { group } from './route.ts';
import { newConvention } from './schemas/metadata.ts';

const json = 'application/json';

/** Conventions of metadata: keys and their allowed values (spec/dids.md 2.29). */
export const metaConventions = group('meta-conventions', ['/meta_conventions'], {
  listKeys: {
    method: 'GET',
    path: '/meta_conventions',
    summary: 'Every key that has a convention',
    permission: 'any',
    accept: json,
    pages: true,
    answer: { kind: 'json', compact: true, schema: z.array(z.string()) },
  },
  listValues: {
    method: 'GET',
    path: '/meta_conventions/:key',
    summary: 'The values of a key',
    permission: 'any',
    accept: json,
    pages: true,
    answer: { kind: 'json', compact: true, schema: z.array(z.string()) },
  },
  // Rucio distinguishes the two by the final slash of the path; their bodies differ as well.
  addKeyOrValue: {
    method: 'POST',
    path: '/meta_conventions/:key',
    summary: 'Add a key, or with `value` a value to a key',
    permission: 'add_key',
    body: { schema: newConvention, json: 'dictionary', name: 'meta_conventions' },
    answer: { kind: 'created' },
    errors: {
      InvalidObject: 400,
      InvalidValueForKey: 400,
      UnsupportedKeyType: 400,
      UnsupportedValueType: 400,
      AccessDenied: 401,
      KeyNotFound: 404,
      Duplicate: 409,
    },
  },
});
