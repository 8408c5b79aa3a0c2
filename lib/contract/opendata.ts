import { group, type Route } from './route.ts';
import {
  entryQuery,
  opendataChange,
  opendataChanged,
  opendataEntry,
  opendataLimit,
  opendataList,
  opendataQuery,
  publicEntryQuery,
  publicOpendataQuery,
} from './schemas/opendata.ts';

const json = 'application/json';

const list = {
  method: 'GET',
  accept: json,
  pages: { limit: opendataLimit },
  answer: { kind: 'listing', schema: opendataList, rows: 'dids' },
  errors: { OpenDataError: 400 },
} as const satisfies Omit<Route, 'path' | 'summary' | 'permission'>;

const entry = {
  method: 'GET',
  accept: json,
  answer: { kind: 'json', schema: opendataEntry },
  errors: {
    OpenDataError: 400,
    ConfigurationError: 400,
    InvalidRSEExpression: 400,
    OpenDataDataIdentifierNotFound: 404,
    PayloadTooLarge: 413,
  },
} as const satisfies Omit<Route, 'path' | 'summary' | 'permission'>;

const path = '/opendata/dids/**:scope_name';

/** Open data: DIDs that are published, and what is seen of them without a token (spec/access.md 10). */
export const opendata = group('opendata', ['/opendata'], {
  listPublicOpendata: {
    ...list,
    path: '/opendata/public/dids',
    summary: 'DIDs that are public',
    permission: 'open',
    query: publicOpendataQuery,
  },
  getPublicOpendata: {
    ...entry,
    path: '/opendata/public/dids/**:scope_name',
    summary: 'One DID that is public',
    permission: 'open',
    query: publicEntryQuery,
  },
  listOpendata: {
    ...list,
    path: '/opendata/dids',
    summary: 'DIDs of the catalogue of open data, in any state',
    permission: 'any',
    query: opendataQuery,
  },
  getOpendata: {
    ...entry,
    path,
    summary: 'One DID of the catalogue of open data',
    permission: 'any',
    query: entryQuery,
  },
  addOpendata: {
    method: 'POST',
    path,
    summary: 'Add a DID to the catalogue of open data, as a draft',
    permission: 'add_opendata',
    answer: { kind: 'text', mediaType: json, replies: { 201: { description: 'Added; the body is empty.' } } },
    errors: { AccessDenied: 401, DataIdentifierNotFound: 404, OpenDataDataIdentifierAlreadyExists: 409 },
  },
  updateOpendata: {
    method: 'PUT',
    path,
    summary: 'Publish or suspend a DID; set its metadata, DOI and record',
    permission: 'update_opendata',
    body: { schema: opendataChange, json: 'dictionary', name: 'opendata' },
    answer: { kind: 'json', schema: opendataChanged },
    errors: {
      ConfigurationError: 400,
      InputValidationError: 400,
      OpenDataError: 400,
      OpenDataInvalidStateUpdate: 400,
      OpenDataDuplicateDOI: 400,
      OpenDataDuplicateRecordID: 400,
      DuplicateRule: 400,
      InsufficientAccountLimit: 400,
      InsufficientTargetRSEs: 400,
      InvalidRSEExpression: 400,
      RSEOverQuota: 400,
      RSEWriteBlocked: 400,
      StagingAreaRuleRequiresLifetime: 400,
      AccessDenied: 401,
      OpenDataDataIdentifierNotFound: 404,
    },
  },
  removeOpendata: {
    method: 'DELETE',
    path,
    summary: 'Remove a draft from the catalogue of open data',
    permission: 'remove_opendata',
    answer: { kind: 'text', mediaType: json, replies: { 204: { description: 'Removed; there is no body.' } } },
    errors: { OpenDataInvalidState: 400, AccessDenied: 401, OpenDataDataIdentifierNotFound: 404 },
  },
});
