/** Faults of deployments that the smoke test has to tell. */
import { gunzipSync } from 'node:zlib';

import type { Fault } from './faulty-proxy.ts';

/** A fault of a deployment, and the line that tells it. */
export interface Case {
  readonly what: string;
  readonly fault: Fault;
  readonly line: string;
  readonly came: RegExp;
  readonly advice: RegExp;
  /** Lines beside it that pass. */
  readonly passes?: readonly string[];
  readonly isTls?: boolean;
  /** Whether the fault is seen only by waiting. */
  readonly isHanging?: boolean;
}

const isDatasetOf = (path: string, suffix: string) => path.includes(suffix);
const readers = (path: string) => path.startsWith('/events');

/** The faults. */
export const cases: readonly Case[] = [
  {
    what: 'answers without a byte stay open',
    isHanging: true,
    fault: {
      after: ({ status, headers, body }, { method }, reply) => {
        if (body.length > 0 || method === 'HEAD') return false;
        delete headers['content-length'];
        reply.writeHead(status, headers).flushHeaders();
        return true;
      },
    },
    line: 'empty-writes',
    came: /PUT \/dids\/.*: 200 came after \d+ ms, but the answer did not end: nothing more came for 6 s after 0 bytes/,
    advice: /emptyStreams=fill/,
    passes: ['clock'],
  },
  {
    what: 'lists without a row stay open',
    isHanging: true,
    fault: {
      after: ({ status, headers, body }, { method, path }, reply) => {
        if (body.length > 0 || method !== 'GET' || !isDatasetOf(path, '.empty')) return false;
        delete headers['content-length'];
        reply.writeHead(status, headers).flushHeaders();
        return true;
      },
    },
    line: 'empty-lists',
    came: /the answer did not end/,
    advice: /emptyStreams=fill/,
    passes: ['empty-writes'],
  },
  {
    what: 'HEAD is never finished',
    isHanging: true,
    fault: {
      after: ({ status, headers }, { method }, reply) => {
        if (method !== 'HEAD') return false;
        reply.writeHead(status, { ...headers, 'Content-Length': 19 }).flushHeaders();
        return true;
      },
    },
    line: 'head',
    came: /GET \/ping: no answer within 6 s/,
    advice: /emptyStreams=fill/,
  },
  {
    what: 'HEAD is dropped',
    fault: { before: ({ method }, reply) => method === 'HEAD' && (reply.destroy(), true) },
    line: 'head',
    came: /HEAD \/ping: the connection was closed without an answer/,
    advice: /allow HEAD there/,
  },
  {
    what: 'HEAD is refused',
    fault: { before: ({ method }, reply) => method === 'HEAD' && (reply.writeHead(405).end(), true) },
    line: 'head',
    came: /HEAD \/ping: 405/,
    advice: /allow HEAD there/,
  },
  {
    what: 'answers of 304 stay open',
    isHanging: true,
    fault: {
      after: ({ status, headers }, _request, reply) => {
        if (status !== 304) return false;
        reply.writeHead(status, headers).flushHeaders();
        return true;
      },
    },
    line: 'not-modified',
    came: /no answer within 6 s/,
    advice: /emptyStreams=fill/,
  },
  {
    what: 'compressed answers are unpacked but marked as gzip',
    fault: {
      after: (answer) => {
        if (answer.headers['content-encoding'] === 'gzip') answer.body = gunzipSync(answer.body);
        return false;
      },
    },
    line: 'gzip',
    came: /marked as gzip, but the \d+ bytes cannot be unpacked/,
    advice: /compression=off/,
    passes: ['no-gzip'],
  },
  {
    what: 'a path is blocked',
    fault: { before: ({ path }, reply) => /\.(log|ini)/.test(path) && (reply.writeHead(403).end('Forbidden'), true) },
    line: 'names',
    came: /403/,
    advice: /web ACL/,
    passes: ['odd-names'],
  },
  {
    what: 'slashes are merged',
    fault: {
      before: (request) => {
        request.path = request.path.replaceAll(/\/{2,}/g, '/');
      },
    },
    line: 'odd-names',
    came: /201/,
    advice: /changes the path/,
    passes: ['names'],
  },
  {
    what: 'odd names are failures',
    fault: { before: ({ path }, reply) => path.includes('%C3%A9') && (reply.writeHead(500).end(), true) },
    line: 'odd-names',
    came: /%C3%A9: 500/,
    advice: /log/,
  },
  {
    what: 'links lead to another host',
    fault: {
      after: (answer) => {
        const { link } = answer.headers;
        if (typeof link === 'string') answer.headers.link = link.replace('<', '<https://inside.example.org');
        return false;
      },
    },
    line: 'names',
    came: /leads to https:\/\/inside.example.org/,
    advice: /forward the header Host/,
  },
  {
    what: 'answers are collected',
    fault: {
      after: ({ headers, body }) => {
        headers['content-length'] = String(body.length);
        return false;
      },
    },
    line: 'long-list',
    came: /it was made as a whole before it was sent/,
    advice: /buffering off/,
    passes: ['gzip', 'empty-writes'],
  },
  {
    what: 'long answers are cut',
    fault: {
      after: (answer) => {
        answer.body = answer.body.subarray(0, 6_000_000);
        delete answer.headers['content-length'];
        return false;
      },
    },
    line: 'long-list',
    came: /6.0 MB.*broken off in the middle of a row/,
    advice: /responseMode=stream/,
  },
  {
    what: 'long answers are failures',
    fault: {
      after: (answer) => {
        if (answer.body.length > 6_000_000) Object.assign(answer, { status: 502, body: Buffer.from('{}') });
        return false;
      },
    },
    line: 'long-list',
    came: /^502 after/,
    advice: /responseMode=stream/,
  },
  {
    what: 'events wait for the end of their answer',
    isHanging: true,
    fault: {
      before: ({ path }) => readers(path) && false,
      after: (answer, { path }) => readers(path) && answer.status === 0,
    },
    line: 'live-events',
    came: /no answer within 6 s/,
    advice: /buffering off/,
  },
  {
    what: 'the gateway answers for the service',
    fault: { before: ({ path }, reply) => path === '/ping' && (reply.end('healthy'), true) },
    line: 'ping',
    came: /with the text "healthy"/,
    advice: /basePath=\/rucio/,
    passes: ['log-in'],
  },
  {
    what: 'more than ten lists are refused',
    fault: tenAtOnce(),
    line: 'at-once',
    came: /2 of 12 were not answered, the first: 503 .*to be repeated after 1 s/,
    advice: /quota of concurrent executions/,
    passes: ['head'],
  },
  {
    what: 'long bodies are never answered',
    isHanging: true,
    fault: { before: ({ headers }) => Number(headers['content-length']) > 10_000_000 },
    line: 'body-9.9-mb',
    came: /no answer within 6 s/,
    advice: /5 MB/,
    passes: ['body-5.9-mb'],
  },
  {
    what: 'long bodies are a failure',
    fault: {
      before: ({ headers }, reply) =>
        Number(headers['content-length']) > 6_200_000 && (reply.writeHead(502).end(), true),
    },
    line: 'body-6.1-mb',
    came: /502/,
    advice: /5 MB/,
    passes: ['body-5.9-mb'],
  },
  {
    what: 'a front end has a lower limit of bodies',
    fault: {
      before: ({ headers }, reply) =>
        Number(headers['content-length']) > 1_000_000 && (reply.writeHead(413).end(), true),
    },
    line: 'body-5.9-mb',
    came: /413/,
    advice: /client_max_body_size/,
  },
  {
    what: 'the clock is an hour behind',
    fault: {
      after: ({ headers }) => {
        headers.date = new Date(Date.now() - 3_600_000).toUTCString();
        return false;
      },
    },
    line: 'clock',
    came: /it is 3[56]\d\d\.\d s behind ours/,
    advice: /NTP/,
    passes: ['log-in'],
  },
  {
    what: 'pages of every origin may call',
    fault: {
      after: ({ headers }) => {
        headers['access-control-allow-origin'] = '*';
        return false;
      },
    },
    line: 'cors-others',
    came: /allows \*/,
    advice: /corsOrigins/,
  },
  {
    what: 'OPTIONS is never finished',
    isHanging: true,
    fault: { before: ({ method }, reply) => method === 'OPTIONS' && (reply.writeHead(403).flushHeaders(), true) },
    line: 'cors-others',
    came: /the answer did not end/,
    advice: /emptyStreams=fill/,
  },
  {
    what: 'copies that are reported have no effect',
    isHanging: true,
    fault: {
      before: ({ method, path }, reply) => method === 'PUT' && path === '/replicas' && (reply.end(), true),
    },
    line: 'rule',
    came: /REPLICATING, then REPLICATING after/,
    advice: /consume-stream/,
  },
  {
    what: 'no event comes',
    isHanging: true,
    fault: {
      after: (answer, { path }) => {
        if (readers(path)) answer.body = Buffer.from('retry: 1000\n\n');
        return false;
      },
    },
    line: 'events',
    came: /not within/,
    advice: /dead-letter/,
  },
  {
    what: 'the table is away',
    fault: { before: ({ path }, reply) => path === '/health' && (reply.writeHead(503).end(), true) },
    line: 'health',
    came: /^503 after/,
    advice: /table does not answer/,
    passes: ['ping', 'status'],
  },
  {
    what: 'background work stands still',
    fault: {
      after: (answer, { path }) => {
        if (path !== '/status') return false;
        const told = JSON.parse(answer.body.toString()) as object;
        answer.body = Buffer.from(JSON.stringify({ ...told, problems: ['A task has been due for 25 minutes.'] }));
        delete answer.headers['content-length'];
        return false;
      },
    },
    line: 'status',
    came: /^A task has been due for 25 minutes\.$/,
    advice: /docs\/operations\.md/,
    passes: ['health'],
  },
  {
    what: 'a wrong password is right',
    fault: {
      before: ({ headers }) => {
        if ('x-rucio-password' in headers) headers['x-rucio-password'] = 'secret';
      },
    },
    line: 'wrong-log-in',
    came: /a wrong password: 200/,
    advice: /Stop the deployment/,
  },
  {
    what: 'HTTP/2 breaks answers without a body',
    fault: {
      before: ({ path }, reply) => path === '/accounts/whoami' && 'stream' in reply && (reply.destroy(), true),
    },
    line: 'http/2',
    came: /GET \/accounts\/whoami: the connection was closed without an answer/,
    advice: /streamMark=off/,
    passes: ['http/1.1'],
    isTls: true,
  },
];

function tenAtOnce(): Fault {
  let lists = 0;
  return {
    before: ({ method, path }, reply) => {
      if (method !== 'GET' || !path.endsWith('/files')) return false;
      lists += 1;
      if (lists <= 10) return false;
      reply.writeHead(503, { 'Retry-After': '1' }).end();
      return true;
    },
  };
}
