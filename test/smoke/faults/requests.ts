import type { Fault } from '../faulty-proxy.ts';
import type { Case } from './case.ts';

/** Faults of requests on their way: they are dropped, refused or changed. */
export const requests: readonly Case[] = [
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
    what: 'the table is away',
    fault: { before: ({ path }, reply) => path === '/health' && (reply.writeHead(503).end(), true) },
    line: 'health',
    came: /^503 after/,
    advice: /table does not answer/,
    passes: ['ping', 'status'],
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
