import * as z from 'zod/mini';

import type { Routes } from './route.ts';
import { repeated } from './schemas/common.ts';
import { protocolEntry, protocolInput } from './schemas/rse-protocol.ts';
import { rseSettings } from './schemas/rse.ts';

const json = 'application/json';

const body = { schema: protocolInput, json: 'dictionary', name: 'protocol' } as const;

const writing = {
  InvalidObject: 400,
  AccessDenied: 401,
  RSENotFound: 404,
  RSEOperationNotSupported: 404,
  RSEProtocolDomainNotSupported: 404,
  Duplicate: 409,
  RSEProtocolPriorityError: 409,
} as const;

const update = {
  method: 'PUT',
  permission: 'update_protocol',
  resource: 'rse',
  body,
  answer: { kind: 'empty' },
  errors: { ...writing, RSEProtocolNotSupported: 404 },
} as const;

const removal = {
  method: 'DELETE',
  permission: 'del_protocol',
  resource: 'rse',
  answer: { kind: 'empty' },
  errors: { AccessDenied: 401, RSENotFound: 404, RSEProtocolNotSupported: 404 },
} as const;

/** The routes of the group `rses` that are about protocols and PFNs (spec/rses.md 1.16 to 1.20, 1.28). */
export const rseProtocols = {
  listProtocols: {
    method: 'GET',
    path: '/rses/:rse/protocols',
    summary: 'Protocols of an RSE',
    permission: 'any',
    resource: 'rse',
    accept: json,
    answer: { kind: 'json', compact: true, schema: z.array(protocolEntry) },
    errors: { RSENotFound: 404, RSEProtocolNotSupported: 404 },
  },
  getProtocols: {
    method: 'GET',
    path: '/rses/:rse/protocols/:scheme',
    summary: 'Settings of an RSE with all its protocols, for any scheme',
    permission: 'any',
    resource: 'rse',
    accept: json,
    answer: { kind: 'json', compact: true, schema: z.omit(rseSettings, { availability: true }) },
    errors: { RSENotFound: 404 },
  },
  addProtocol: {
    method: 'POST',
    path: '/rses/:rse/protocols/:scheme',
    summary: 'Add a protocol to an RSE',
    permission: 'add_protocol',
    resource: 'rse',
    body,
    answer: { kind: 'created' },
    errors: writing,
  },
  updateProtocol: {
    ...update,
    path: '/rses/:rse/protocols/:scheme/:hostname/:port',
    summary: 'Change a protocol, except scheme, hostname and port',
  },
  updateProtocolOfHost: {
    ...update,
    path: '/rses/:rse/protocols/:scheme/:hostname',
    summary: 'Always an error, as in Rucio: the port is missing',
  },
  updateProtocolOfScheme: {
    ...update,
    path: '/rses/:rse/protocols/:scheme',
    summary: 'Always an error, as in Rucio: hostname and port are missing',
  },
  deleteProtocol: {
    ...removal,
    path: '/rses/:rse/protocols/:scheme/:hostname/:port',
    summary: 'Remove a protocol from an RSE',
  },
  deleteProtocolsOfHost: {
    ...removal,
    path: '/rses/:rse/protocols/:scheme/:hostname',
    summary: 'Remove the protocols of a scheme and a host from an RSE',
  },
  deleteProtocolsOfScheme: {
    ...removal,
    path: '/rses/:rse/protocols/:scheme',
    summary: 'Remove the protocols of a scheme from an RSE',
  },
  lfnsToPfns: {
    method: 'GET',
    path: '/rses/:rse/lfns2pfns',
    summary: 'PFNs of files on an RSE, present or not',
    permission: 'any',
    accept: json,
    query: z.object({
      lfn: repeated.check(z.meta({ description: 'Files as `scope:name`' })),
      scheme: z
        .optional(z.string())
        .check(z.meta({ description: 'Allowed schemes, separated by commas; absent: all' })),
      domain: z._default(z.string(), 'wan').check(z.meta({ description: '`lan` or `wan`' })),
      operation: z
        ._default(z.string(), 'write')
        .check(z.meta({ description: 'Case-insensitive', examples: ['read', 'write'] })),
    }),
    answer: { kind: 'json', compact: true, schema: z.record(z.string(), z.string()) },
    errors: {
      InvalidObject: 400,
      InvalidPath: 400,
      ReplicaNotFound: 404,
      RSENotFound: 404,
      RSEOperationNotSupported: 404,
      RSEProtocolDomainNotSupported: 404,
      RSEProtocolNotSupported: 404,
    },
  },
} as const satisfies Routes;
