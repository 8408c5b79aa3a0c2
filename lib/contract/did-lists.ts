import * as z from 'zod/mini';

import type { Routes } from './route.ts';
import {
  bulkFileLine,
  bulkFiles,
  deletedDids,
  follower,
  followerLine,
  guidLine,
  historyLine,
  newDidLine,
  newSample,
} from './schemas/did-lists.ts';

const stream = 'application/x-json-stream';

const sampling = {
  InvalidObject: 400,
  AccessDenied: 401,
  DataIdentifierNotFound: 404,
  ScopeNotFound: 404,
  DataIdentifierAlreadyExists: 409,
  UnsupportedOperation: 409,
} as const;

/** The routes of the group `dids` that list or make DIDs in other ways than the basic ones (spec/dids.md 2.9 to 2.26). */
export const didLists = {
  listContentHistory: {
    method: 'GET',
    path: '/dids/**:scope_name/dids/history',
    summary: 'Former content of a DID',
    permission: 'any',
    accept: stream,
    pages: true,
    answer: { kind: 'stream', schema: historyLine },
    errors: { DataIdentifierNotFound: 404 },
  },
  listBulkFiles: {
    method: 'POST',
    path: '/dids/bulkfiles',
    summary: 'Files of many DIDs, recursively',
    permission: 'any',
    reads: true,
    accept: stream,
    body: { schema: bulkFiles, json: 'dictionary', name: 'dids' },
    answer: { kind: 'stream', schema: bulkFileLine },
  },
  listByGuid: {
    method: 'GET',
    path: '/dids/:guid/guid',
    summary: "The files of a GUID; for Rucio's own clients the datasets that contain them",
    permission: 'any',
    accept: stream,
    pages: true,
    answer: { kind: 'stream', schema: guidLine },
    errors: { DataIdentifierNotFound: 404 },
  },
  listNewDids: {
    method: 'GET',
    path: '/dids/new',
    summary: 'DIDs created within the last 24 hours and still flagged as new; at most 1000 without `limit`',
    permission: 'any',
    accept: stream,
    query: z.object({ type: z.optional(z.string()) }),
    pages: true,
    answer: { kind: 'stream', schema: newDidLine },
    errors: { ValueError: 400 },
  },
  createSample: {
    method: 'POST',
    path: '/dids/sample',
    summary: 'Create a dataset with a random sample of the files of a DID',
    permission: 'create_did_sample',
    body: { schema: newSample, json: 'dictionary', name: 'sample' },
    answer: { kind: 'created' },
    errors: sampling,
  },
  createSampleByPath: {
    method: 'POST',
    path: '/dids/:input_scope/:input_name/:output_scope/:output_name/:nbfiles/sample',
    summary: 'Create a dataset with a random sample of the files of a DID, as createSample',
    permission: 'create_did_sample',
    answer: { kind: 'created' },
    errors: sampling,
  },
  resurrect: {
    method: 'POST',
    path: '/dids/resurrect',
    summary: 'Restore deleted or expired DIDs, all or none',
    permission: 'resurrect',
    body: { schema: deletedDids, json: 'list', name: 'dids' },
    answer: { kind: 'created' },
    errors: { AccessDenied: 401, DataIdentifierNotFound: 404, DataIdentifierAlreadyExists: 409 },
  },
  listFollowers: {
    method: 'GET',
    path: '/dids/**:scope_name/follow',
    summary: 'Followers of a DID, one JSON object per line',
    permission: 'any',
    accept: 'application/json',
    pages: true,
    answer: { kind: 'stream', schema: followerLine, mediaType: 'application/json' },
    errors: { DataIdentifierNotFound: 404 },
  },
  follow: {
    method: 'POST',
    path: '/dids/**:scope_name/follow',
    summary: 'Make an account follow a DID',
    permission: 'any',
    body: { schema: follower, json: 'dictionary', name: 'follow' },
    answer: { kind: 'created' },
    errors: { AccountNotFound: 404, DataIdentifierNotFound: 404 },
  },
  unfollow: {
    method: 'DELETE',
    path: '/dids/**:scope_name/follow',
    summary: 'Make an account stop following a DID',
    permission: 'remove_did_from_followed',
    body: { schema: follower, json: 'dictionary', name: 'follow' },
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401 },
  },
} as const satisfies Routes;
