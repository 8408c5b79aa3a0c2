import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compareServers } from '../../../moving/compare/compare.ts';
import { partNames } from '../../../moving/compare/parts/parts.ts';
import { Report } from '../../../moving/compare/report.ts';
import { sampleOf } from '../../../moving/compare/sample.ts';
import { openSession, type Session } from '../../../moving/compare/session.ts';
import { runHere, runProcess } from '../../support/run-program.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { makeSeededFolder, rootCredentials as credentials } from '../seed/seeded-folder.ts';
import { changes, type Request } from './changes.ts';

let folder: string;
let servers: readonly ServerProcess[] = [];
let left: Session;
let right: Session;

// Two servers with the same catalogue.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-compare-test-'));
  const [one, other] = [join(folder, 'left'), join(folder, 'right')];
  await Promise.all([one, other].map((path) => makeSeededFolder(path)));
  // Background work of a server, such as the repair of a stuck rule, would be found as a difference.
  servers = await Promise.all(
    [one, other].map((data) => startServerProcess(['--data', data, '--no-tasks', '--threads', '0'])),
  );
  [left, right] = servers.map(({ url }) => openSession({ url, credentials })) as [Session, Session];
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

interface Options {
  readonly only?: readonly string[];
  readonly scopes?: readonly string[];
  readonly share?: number;
}

/** A line of the report: a finding, or the summary. */
interface Line {
  readonly part: string;
  readonly kind: string;
  readonly key: string;
  readonly fields?: readonly {
    readonly field: string;
    readonly left?: unknown;
    readonly right?: unknown;
    readonly decision?: string;
  }[];
  readonly summary?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Compares both servers; returns the exit code, the findings and the summary. */
async function compare({ only = [], scopes = [], share = 1 }: Options = {}) {
  const lines: Line[] = [];
  const report = new Report({ json: true, decided: false, write: (line) => lines.push(JSON.parse(line) as Line) });
  const comparison = { left, right, only, scopes, isChosen: sampleOf(share), parallel: 4, onProgress: () => undefined };
  await compareServers(comparison, report);
  const code = report.end();
  return { code, findings: lines.filter(({ part }) => part !== undefined), summary: lines.at(-1)?.summary ?? {} };
}

/** A finding in short: the part, the kind, the key without dates of now, and the members that differ undecidedly. */
const inShort = ({ part, kind, key, fields = [] }: Line) =>
  [
    part,
    kind,
    key.replace(/ \w{3}, \d\d .*UTC$/, ''),
    ...fields.flatMap(({ field, decision }) => (decision === undefined ? [field] : [])),
  ].join(' ');

/** The findings in short. */
const findInShort = async () => (await compare()).findings.map(inShort);

/** The first comparison, before all changes. */
let first: ReturnType<typeof compare> | undefined;
const compareFirst = () => (first ??= compare());

/** How often a comparison is repeated for what follows from a change a little later, such as usage and counters. */
const patientRounds = 20;

/** The part, kind and key of a finding. */
const subjectOf = (line: string) => line.split(' ').slice(0, 3).join(' ');

/** A comparison takes long, so changes are made in rounds: one that is found at the same thing as an earlier one is made later. */
const rounds: (typeof changes)[number][][] = [];
for (const change of changes) {
  const subjects = new Set(change.found.map(subjectOf));
  const last = rounds.findLastIndex((round) =>
    round.some(({ found }) => found.some((line) => subjects.has(subjectOf(line)))),
  );
  (rounds[last + 1] ??= []).push(change);
}

/** Findings that each round adds, in short. */
let addedFindings: Promise<readonly (readonly string[])[]> | undefined;

/** Makes the changes on the right server, round by round, and compares after each, until all is found that follows. */
async function makeChanges(): Promise<readonly (readonly string[])[]> {
  const added: string[][] = [];
  let former = new Set((await compareFirst()).findings.map(inShort));
  for (const round of rounds) {
    for (const { requests } of round) await send(requests);
    const wanted = round.flatMap(({ found }) => found);
    const isWanted = (lines: readonly string[]) => lines.toSorted().join('\n') === wanted.toSorted().join('\n');
    let findings: string[] = [];
    let news: string[] = [];
    for (let again = 0; again < patientRounds; again += 1) {
      findings = await findInShort();
      news = findings.filter((line) => !former.has(line));
      if (isWanted(news)) break;
    }
    added.push(news);
    former = new Set(findings);
  }
  return added;
}

/** Sends requests to the right server; all must succeed. */
async function send(requests: readonly Request[]): Promise<void> {
  for (const [method, path, body] of requests) {
    const { status, text } = await right.call(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  }
}

const comparer = 'moving/main-compare.ts';

describe('npm run compare', () => {
  it('finds two servers with the same catalogue equal, and has compared something of each part', async () => {
    const { code, findings, summary } = await compareFirst();
    expect(findings.map(inShort)).toEqual([]);
    expect(code).toBe(0);
    expect(Object.keys(summary).toSorted()).toEqual([...partNames].sort());
    const empty = Object.entries(summary).filter(([, { compared }]) => compared === 0);
    // The seed makes these by SQL.
    expect(empty.map(([part]) => part)).toEqual(['exceptions', 'bad-replicas']);
    expect(Object.values(summary).every(({ compared, equal }) => compared === equal)).toBe(true);
  });

  it.each(changes)('finds a change of $what, and nothing else', async (change) => {
    const round = rounds.findIndex((some) => some.includes(change));
    const findings = (await (addedFindings ??= makeChanges()))[round] ?? [];
    expect(findings).toEqual(expect.arrayContaining([...change.found]));
    const explained = new Set(rounds[round]?.flatMap(({ found }) => found));
    expect(findings.filter((line) => !explained.has(line))).toEqual([]);
  });

  it('tells what is only on the left server', async () => {
    await send([['DELETE', '/rses/MV-TAPE/attr/site']]);
    const { findings } = await compare({ only: ['rses'] });
    const tape = findings.find(({ key }) => key === 'MV-TAPE');
    expect(tape?.fields).toContainEqual({ field: 'attribute site', left: 'MV-SITE4' });
  });

  it('compares the chosen scopes and parts alone', async () => {
    const { summary } = await compare({ only: ['dids', 'rules'], scopes: ['mv.user.bob'] });
    expect(Object.keys(summary)).toEqual(['dids', 'rules']);
    expect(summary['dids']).toMatchObject({ compared: 1, right: 1 });
  });

  it('takes the same sample of DIDs in every run, on both servers', async () => {
    const all = await compare({ only: ['dids'], scopes: ['mv.odd'] });
    const half = await compare({ only: ['dids'], scopes: ['mv.odd'], share: 0.5 });
    const count = (summary: Line['summary']) => summary?.['dids']?.['compared'] ?? 0;
    expect(count(half.summary)).toBeGreaterThan(0);
    expect(count(half.summary)).toBeLessThan(count(all.summary));
    expect(await compare({ only: ['dids'], scopes: ['mv.odd'], share: 0.5 })).toEqual(half);
    // A DID on one side only is found or not for the same reason: the hash of its name.
    const names = half.findings.map(({ key }) => key);
    const isChosen = sampleOf(0.5);
    expect(names.every((key) => isChosen({ scope: 'mv.odd', name: key.slice('mv.odd:'.length) }))).toBe(true);
  });

  it('fetches a new token when the server has forgotten the old one', async () => {
    const asked: string[] = [];
    const session = openSession({ url: left.url, credentials });
    const real = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      asked.push(typeof input === 'string' ? new URL(input).pathname : '?');
      // Another key signs: the token of the first log-in is none any more.
      const headers = new Headers(init?.headers);
      if (asked.length === 2) headers.set('X-Rucio-Auth-Token', 'forgotten');
      return real(input, { ...init, headers });
    };
    try {
      expect(await session.json('/accounts/root')).toMatchObject({ account: 'root' });
    } finally {
      globalThis.fetch = real;
    }
    expect(asked).toEqual(['/auth/userpass', '/accounts/root', '/auth/userpass', '/accounts/root']);
  });

  it('ends with 0 if equal, 1 if different, 2 if it could not compare, and explains itself', async () => {
    const urls = ['--left', left.url, '--right', right.url];
    expect(await runHere(comparer, ['--left', left.url, '--right', left.url, '--only', 'accounts'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^part +compared +equal +decided +different +only left +only right +unreadable\naccounts +5 +5/,
      ),
    });
    expect(await runProcess(comparer, [...urls, '--only', 'config'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('config moving-section plain: value: "text" | "changed"\n'),
    });
    expect(await runProcess(comparer, urls, { RIGHT_PASSWORD: 'wrong' })).toMatchObject({
      code: 2,
      output: expect.stringContaining('root cannot log in: 401'),
    });
    expect(await runHere(comparer, ['--left', left.url])).toEqual({ code: 2, output: '--right <url> is missing.\n' });
    expect(await runHere(comparer, [...urls, '--only', 'nothing'])).toMatchObject({
      code: 2,
      output: expect.stringContaining('There is no part nothing. The parts are accounts,'),
    });
    expect((await runHere(comparer, ['--help'])).code).toBe(0);
  });
});
