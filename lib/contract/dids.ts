import * as z from 'zod/mini';

import { didLists } from './did-lists.ts';
import { didMetadata } from './did-metadata.ts';
import { didRules } from './did-rules.ts';
import { didSearch } from './did-search.ts';
import { group } from './route.ts';
import { looseFlag, presenceFlag, mapped } from './schemas/common.ts';
import {
  attachment,
  attachments,
  contentLine,
  did,
  fileLine,
  namedDid,
  newDid,
  newDids,
  parentLine,
  scopeLine,
} from './schemas/did.ts';

const json = 'application/json';
const stream = 'application/x-json-stream';

/** Errors of every route that attaches DIDs. */
const attachErrors = {
  AccessDenied: 401,
  DataIdentifierNotFound: 404,
  RSENotFound: 404,
  ScopeNotFound: 404,
  DuplicateContent: 409,
  FileAlreadyExists: 409,
  InsufficientAccountLimit: 409,
  RSEOverQuota: 409,
  UnsupportedOperation: 409,
  FileConsistencyMismatch: 412,
  InvalidMetadata: 400,
  InvalidValueForKey: 400,
  InvalidPath: 400,
  RSEFileNameNotSupported: 400,
  RSEProtocolNotSupported: 404,
} as const;

/** Errors of rules that are created together with DIDs (spec/replication.md 2.3). */
const ruleErrors = {
  AccountNotFound: 404,
  DuplicateRule: 409,
  InsufficientAccountLimit: 409,
  InsufficientTargetRSEs: 409,
  InvalidReplicationRule: 400,
  InvalidRSEExpression: 400,
  InvalidRuleWeight: 409,
  InvalidSourceReplicaExpression: 409,
  ManualRuleApprovalBlocked: 409,
  RSEOverQuota: 409,
  RSEWriteBlocked: 409,
  StagingAreaRuleRequiresLifetime: 409,
} as const;

/** DIDs (spec/interface.md 4.1, spec/dids.md 2). */
export const dids = group('dids', ['/dids'], {
  ...didMetadata,
  ...didLists,
  ...didSearch,
  ...didRules,
  addDids: {
    method: 'POST',
    path: '/dids',
    summary: 'Create DIDs in bulk, all or none',
    permission: 'add_dids',
    accept: json,
    body: { schema: newDids, json: 'list', name: 'dids' },
    answer: { kind: 'created' },
    errors: { ...attachErrors, ...ruleErrors, DataIdentifierAlreadyExists: 409 },
  },
  attachDidsToDids: {
    method: 'POST',
    path: '/dids/attachments',
    summary: 'Attach DIDs to many DIDs, all or none',
    permission: 'attach_dids_to_dids',
    body: {
      schema: z.union([
        z.strictObject({ attachments, ignore_duplicate: looseFlag('ignore_duplicate') }),
        mapped(attachments, (list) => ({ attachments: list, ignore_duplicate: false })),
      ]),
      json: 'dictionary or list',
      name: 'attachments',
    },
    answer: { kind: 'created' },
    errors: attachErrors,
  },
  listScope: {
    method: 'GET',
    path: '/dids/:scope/',
    summary: 'DIDs of a scope without a parent in it, or the content of one of its DIDs',
    permission: 'any',
    accept: stream,
    query: z.object({ name: z.optional(z.string()), recursive: looseFlag('recursive') }),
    pages: true,
    answer: { kind: 'stream', schema: scopeLine },
    errors: { DataIdentifierNotFound: 404 },
  },
  addDid: {
    method: 'POST',
    path: '/dids/**:scope_name',
    summary: 'Create a dataset or a container',
    permission: 'add_did',
    body: { schema: newDid, json: 'dictionary', name: 'did' },
    answer: { kind: 'created' },
    errors: { ...attachErrors, ...ruleErrors, DataIdentifierAlreadyExists: 409 },
  },
  getDid: {
    method: 'GET',
    path: '/dids/**:scope_name',
    summary: 'One DID',
    permission: 'any',
    resource: 'did',
    accept: json,
    query: z.object({ dynamic: presenceFlag, dynamic_depth: z.optional(z.string()) }),
    answer: { kind: 'json', schema: did },
    errors: { DataIdentifierNotFound: 404 },
  },
  getDidStatus: {
    method: 'GET',
    path: '/dids/**:scope_name/status',
    summary: 'One DID, as in getDid',
    permission: 'any',
    resource: 'did',
    accept: json,
    query: z.object({ dynamic: presenceFlag, dynamic_depth: z.optional(z.string()) }),
    answer: { kind: 'json', schema: did },
    errors: { DataIdentifierNotFound: 404 },
  },
  setStatus: {
    method: 'PUT',
    path: '/dids/**:scope_name/status',
    summary: 'Open or close a collection',
    permission: 'set_status',
    resource: 'did',
    body: { schema: z.record(z.string(), z.unknown()), json: 'dictionary', name: 'status' },
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401, DataIdentifierNotFound: 404, UnsupportedOperation: 409, UnsupportedStatus: 409 },
  },
  listContent: {
    method: 'GET',
    path: '/dids/**:scope_name/dids',
    summary: 'Direct content of a DID',
    permission: 'any',
    accept: stream,
    pages: true,
    answer: { kind: 'stream', schema: contentLine },
    errors: { DataIdentifierNotFound: 404 },
  },
  attachDids: {
    method: 'POST',
    path: '/dids/**:scope_name/dids',
    summary: 'Attach DIDs to a DID, all or none; with an RSE, unknown files are registered there',
    permission: 'attach_dids',
    resource: 'did',
    body: { schema: attachment, json: 'dictionary or list', called: 'dictionary', name: 'attachment' },
    answer: { kind: 'created' },
    errors: attachErrors,
  },
  detachDids: {
    method: 'DELETE',
    path: '/dids/**:scope_name/dids',
    summary: 'Detach DIDs from a DID, all or none',
    permission: 'detach_dids',
    resource: 'did',
    body: { schema: z.object({ dids: z.array(namedDid) }), json: 'dictionary', name: 'dids' },
    answer: { kind: 'empty' },
    errors: { AccessDenied: 401, DataIdentifierNotFound: 404, UnsupportedOperation: 409 },
  },
  listFiles: {
    method: 'GET',
    path: '/dids/**:scope_name/files',
    summary: 'Files of a DID, recursively',
    permission: 'any',
    accept: stream,
    query: z.object({ long: presenceFlag }),
    pages: true,
    answer: { kind: 'stream', schema: fileLine },
    errors: { DataIdentifierNotFound: 404 },
  },
  listParents: {
    method: 'GET',
    path: '/dids/**:scope_name/parents',
    summary: 'Direct parents of a DID',
    permission: 'any',
    accept: stream,
    pages: true,
    answer: { kind: 'stream', schema: parentLine },
    errors: { DataIdentifierNotFound: 404 },
  },
});
