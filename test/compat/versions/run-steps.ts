/** Runs the commands of a client, one after the other, against a server of its own. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'vitest';

import { Adler32 } from '../../../lib/movers/adler32.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { type ClientHome, createClientHome } from '../support/client-home.ts';
import type { Client, Spelling } from './clients.ts';
import { type Commands, startCommands } from './commands.ts';
import type { Tried } from './counts.ts';
import { steps } from './steps/index.ts';
import type { Step } from './steps/step.ts';

/** How a client is called, and how it calls the server. */
export interface Way {
  readonly spelling: Spelling;
  /** Suffix of the host in `rucio_host` and `auth_host`. */
  readonly end: '' | '/';
}

/** Values by name: those that commands take, and those that they have printed. */
type Known = Record<string, string>;

const user = { account: 'root', username: 'ddmlab', password: 'secret' };
const operations = { read: 1, write: 1, delete: 1 };
const texts = { f1: 'content 1\n'.repeat(1000), f2: 'content 2\n'.repeat(1000) };

/** Runs all commands. */
export async function runSteps(client: Client, bin: string, way: Way): Promise<Tried[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dapple-version-'));
  const server = await startServerProcess(['--in-memory', '--no-browser']);
  const home = await createClientHome(user, { rucio_host: server.url + way.end, auth_host: server.url + way.end }, bin);
  const commands = startCommands(bin, home.environment);
  try {
    await mkdir(join(folder, 'got'));
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
    const known: Known = {
      folder,
      adler32: checksum(texts.f1),
      domains: JSON.stringify({ lan: operations, wan: operations }),
      filter: client.version.startsWith('1.') ? 'campaign=mc26,type=all' : 'type=all,campaign=mc26',
      dids: JSON.stringify({ scope: ['data'] }),
      rules: JSON.stringify([{ copies: 1, rse_expression: 'TWO', activity: 'User Subscriptions' }]),
      ...client.words,
    };
    const read = await openReader(server.url);
    const mayHide = client.hidesFailures && way.spelling === 'rucio';
    const run: Run = { home, commands, known, way, mayHide, read };
    const tried: Tried[] = [];
    for (const step of steps) tried.push({ name: step.name, failure: await tryStep(step, run) });
    return tried;
  } finally {
    await commands.stop();
    await home.remove();
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Context of a command. */
interface Run {
  readonly home: ClientHome;
  readonly commands: Commands;
  readonly known: Known;
  readonly way: Way;
  /** Whether a failure may have the exit status 0. */
  readonly mayHide: boolean;
  readonly read: Read;
}

/** Runs a command; returns why it failed. */
async function tryStep(step: Step, { home, commands, known, way, mayHide, read }: Run): Promise<string | null> {
  const [program = '', ...args] = (way.spelling === 'rucio' ? step.today : step.former).split(' ');
  if (step.isFresh) await rm(home.tokenFile, { force: true });
  const line = args.map((word) => fill(word, known));
  const { status, stdout, stderr } = await commands.run(program, line);
  try {
    if (step.exits === undefined) expect(status).toBe(0);
    else if (step.exits === 'badly' && !mayHide) expect(status).not.toBe(0);
    for (const part of step.says) {
      const text = new RegExp(fill(part.source, known), part.flags);
      expect(stdout + stderr).toMatch(text);
      if (step.keeps !== undefined) known[step.keeps] = text.exec(stdout + stderr)?.[1] ?? '';
    }
    if (step.copy !== undefined) expect(await readFile(join(known['folder'] ?? '', step.copy), 'utf8')).toBe(texts.f1);
    await checkState(step, known, read);
    return null;
  } catch (error) {
    return `${program} ${line.join(' ')}\n${stdout}${stderr}${(error as Error).message}`;
  }
}

/** Reads what a command has changed. */
async function checkState(step: Step, known: Known, read: Read): Promise<void> {
  const { status, lines } = await read(fill(step.reads, known));
  if (step.holds === undefined && step.lacks === undefined) {
    expect(status).toBe(404);
    return;
  }
  expect(status).toBe(200);
  if (step.holds !== undefined) expect(lines, JSON.stringify(lines)).toContainEqual(fits(step.holds, known));
  if (step.lacks !== undefined) expect(lines).not.toContainEqual(fits(step.lacks, known));
}

/** Fits the lines that hold this. */
function fits(wanted: unknown, known: Known): unknown {
  if (typeof wanted !== 'object' || wanted === null) return wanted;
  const entries = Object.entries(wanted);
  const values = entries.map(([key, value]) => [
    key,
    typeof value === 'string' ? fill(value, known) : (value as unknown),
  ]);
  return expect.objectContaining(Object.fromEntries(values) as object);
}

/** Puts in what is known for each `{name}`; other braces are left alone. */
function fill(text: string, known: Readonly<Known>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
}

/** Reads as root: the status, and the values of the answer, which may be a list or one value a line. */
type Read = (path: string) => Promise<{ status: number; lines: unknown[] }>;

async function openReader(url: string): Promise<Read> {
  const login = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': user.username, 'X-Rucio-Password': user.password };
  const token = (await fetch(`${url}/auth/userpass`, { headers: login })).headers.get('X-Rucio-Auth-Token') ?? '';
  return async (path) => {
    const answer = await fetch(url + path, { headers: { 'X-Rucio-Auth-Token': token } });
    const lines = (await answer.text()).split('\n').filter(Boolean);
    return { status: answer.status, lines: lines.flatMap((line) => JSON.parse(line) as unknown) };
  };
}

function checksum(text: string): string {
  const sum = new Adler32();
  sum.update(Buffer.from(text));
  return sum.digest();
}
