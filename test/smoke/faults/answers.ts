import { gunzipSync } from 'node:zlib';

import type { Case } from './case.ts';

/** Faults of answers on their way back: they are changed, or collected until they are whole. */
export const answers: readonly Case[] = [
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
];
