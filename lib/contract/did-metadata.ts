import * as z from 'zod/mini';

import type { Routes } from './route.ts';
import {
  bulkMetadata,
  metadataAnswer,
  metadataOfDids,
  metadataPlugin,
  metadataValue,
  metadataValues,
} from './schemas/metadata.ts';

/** Errors of every route that sets metadata. */
const setErrors = {
  InvalidMetadata: 400,
  InvalidValueForKey: 400,
  AccessDenied: 401,
  DataIdentifierNotFound: 404,
  UnsupportedOperation: 409,
} as const;

/** The routes of the group `dids` that are about metadata (spec/dids.md 2.15 to 2.19). */
export const didMetadata = {
  getBulkMetadata: {
    method: 'POST',
    path: '/dids/bulkmeta',
    summary: 'Metadata of many DIDs; a JSON list if `Accept` allows no stream',
    permission: 'any',
    reads: true,
    body: { schema: bulkMetadata, json: 'dictionary', name: 'dids' },
    answer: {
      kind: 'text',
      mediaType: 'application/x-json-stream',
      replies: {
        200: {
          description: 'One JSON value per line; a JSON list if `Accept` allows no stream.',
          content: { 'application/x-json-stream': metadataAnswer, 'application/json': z.array(metadataAnswer) },
        },
      },
    },
    errors: { DataIdentifierNotFound: 404, UnsupportedMetadataPlugin: 400, UnsupportedRequestedContentType: 406 },
  },
  setDidsMetadataBulk: {
    method: 'POST',
    path: '/dids/bulkdidsmeta',
    summary: 'Set metadata of many DIDs, all or none',
    permission: 'set_metadata_bulk',
    body: { schema: metadataOfDids, json: 'dictionary', name: 'dids' },
    answer: { kind: 'created' },
    errors: setErrors,
  },
  getMetadata: {
    method: 'GET',
    path: '/dids/**:scope_name/meta',
    summary: 'Metadata of a DID: its columns, its free metadata or both',
    permission: 'any',
    resource: 'did',
    accept: 'application/json',
    query: z.object({ plugin: metadataPlugin }),
    answer: { kind: 'json', schema: metadataAnswer },
    errors: { DataIdentifierNotFound: 404, UnsupportedMetadataPlugin: 400 },
  },
  setMetadataBulk: {
    method: 'POST',
    path: '/dids/**:scope_name/meta',
    summary: 'Set metadata of a DID, all or none',
    permission: 'set_metadata_bulk',
    resource: 'did',
    body: { schema: metadataValues, json: 'dictionary', name: 'meta' },
    answer: { kind: 'created' },
    errors: setErrors,
  },
  setMetadata: {
    method: 'POST',
    path: '/dids/**:scope_name/meta/:key',
    summary: 'Set one metadata key of a DID',
    permission: 'set_metadata',
    resource: 'did',
    body: { schema: metadataValue, json: 'dictionary', name: 'meta' },
    answer: { kind: 'created' },
    errors: setErrors,
  },
  deleteMetadata: {
    method: 'DELETE',
    path: '/dids/**:scope_name/meta',
    summary: 'Delete a free metadata key of a DID',
    permission: 'set_metadata',
    resource: 'did',
    query: z.object({ key: z.optional(z.string()) }),
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401, DataIdentifierNotFound: 404, KeyNotFound: 404, NotImplementedError: 409 },
  },
} as const satisfies Routes;
