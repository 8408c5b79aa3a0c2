import type { Case } from './case.ts';

const isDatasetOf = (path: string, suffix: string) => path.includes(suffix);
const readers = (path: string) => path.startsWith('/events');

/** Faults that are seen only by waiting. */
export const endless: readonly Case[] = [
  {
    what: 'answers without a byte stay open',
    fault: {
      after: ({ status, headers, body }, { method }, reply) => {
        if (body.length > 0 || method === 'HEAD') return false;
        delete headers['content-length'];
        reply.writeHead(status, headers).flushHeaders();
        return true;
      },
    },
    line: 'empty-writes',
    came: /PUT \/dids\/.*: 200 came after \d+ ms, but the answer did not end: nothing more came for 8 s after 0 bytes/,
    advice: /emptyStreams=fill/,
    passes: ['clock'],
  },
  {
    what: 'lists without a row stay open',
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
    fault: {
      after: ({ status, headers }, { method }, reply) => {
        if (method !== 'HEAD') return false;
        reply.writeHead(status, { ...headers, 'Content-Length': 19 }).flushHeaders();
        return true;
      },
    },
    line: 'head',
    came: /GET \/ping: no answer within 8 s/,
    advice: /emptyStreams=fill/,
  },
  {
    what: 'answers of 304 stay open',
    fault: {
      after: ({ status, headers }, _request, reply) => {
        if (status !== 304) return false;
        reply.writeHead(status, headers).flushHeaders();
        return true;
      },
    },
    line: 'not-modified',
    came: /no answer within 8 s/,
    advice: /emptyStreams=fill/,
  },
  {
    what: 'events wait for the end of their answer',
    fault: {
      before: ({ path }) => readers(path) && false,
      after: (answer, { path }) => readers(path) && answer.status === 0,
    },
    line: 'live-events',
    came: /no answer within 8 s/,
    advice: /buffering off/,
  },
  {
    what: 'long bodies are never answered',
    fault: { before: ({ headers }) => Number(headers['content-length']) > 10_000_000 },
    line: 'body-9.9-mb',
    came: /no answer within 8 s/,
    advice: /5 MB/,
    passes: ['body-5.9-mb'],
  },
  {
    what: 'OPTIONS is never finished',
    fault: { before: ({ method }, reply) => method === 'OPTIONS' && (reply.writeHead(403).flushHeaders(), true) },
    line: 'cors-others',
    came: /the answer did not end/,
    advice: /emptyStreams=fill/,
  },
  {
    what: 'copies that are reported have no effect',
    fault: {
      before: ({ method, path }, reply) => method === 'PUT' && path === '/replicas' && (reply.end(), true),
    },
    line: 'rule',
    came: /REPLICATING, then REPLICATING after/,
    advice: /consume-stream/,
  },
  {
    what: 'no event comes',
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
];
