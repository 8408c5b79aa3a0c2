/**
 * The server that the tests of this run call: the one at `BASE_URL`, or one in this process, which starts when a test first
 * uses it and ends with the process. Tests find it through this module only.
 */
import { inject } from 'vitest';

import { setEnvironment } from '../../local/environment.ts';
import type { LocalEngine } from '../../local/open-engine.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The variable BASE_URL; empty where it is not set. */
    givenUrl: string;
    /** URL of the engine of the run; empty where each process has the embedded one. */
    givenEngine: string;
  }
}

/** A server, and the engine and table behind it. */
interface OwnServer {
  readonly url: string;
  readonly engine: EngineOfRun;
}

/** An engine and the table of a server in it. */
export interface EngineOfRun extends LocalEngine {
  readonly tableName: string;
}

/** The URL of the server, without a final slash. */
export async function baseUrl(): Promise<string> {
  return inject('givenUrl').replace(/\/$/, '') || (await ownServer()).url;
}

/** User and password of the account root. */
export function rootUser(): { readonly username: string; readonly password: string } {
  return {
    username: process.env['ROOT_USERNAME'] || 'ddmlab',
    password: process.env['ROOT_PASSWORD'] || 'secret',
  };
}

/** Whether the run has an engine of its own; with `BASE_URL` only the interface is accessible. */
export function hasOwnEngine(): boolean {
  return inject('givenUrl') === '';
}

/** The engine of the server; undefined if the run has none of its own. */
export async function engineOfRun(): Promise<EngineOfRun | undefined> {
  return hasOwnEngine() ? (await ownServer()).engine : undefined;
}

/**
 * The engine of the server, for a test that needs it.
 *
 * @throws Error with a remedy when the run has no engine of its own.
 */
export async function ownEngine(): Promise<EngineOfRun> {
  const engine = await engineOfRun();
  if (engine === undefined) throw new Error('this test needs an engine of its own: run it without BASE_URL');
  return engine;
}

/** Tables with streams that share a database of DynamoDB Local. */
const tablesPerDatabase = 8;
let tablesWithStreams = 0;

/**
 * The engine for a table with a stream that a test makes.
 *
 * At each request to a table with a stream, DynamoDB Local searches the records of all streams of the database for the oldest
 * one: with 60,000 older records a put takes 27 ms instead of 1.3, a transaction of three 112 ms instead of 3.3. So such
 * tables get other databases than the server's, whose records grow with every test file.
 *
 * @throws Error with a remedy when the run has no engine of its own.
 */
export async function engineForStream(): Promise<LocalEngine> {
  const own = await ownEngine();
  const endpoint = inject('givenEngine');
  if (endpoint === '') return own;
  const { openHttpTransport } = await import('../../local/engine/src/http-transport.ts');
  const { clientOf } = await import('../../local/open-engine.ts');
  const database = Math.floor(tablesWithStreams / tablesPerDatabase);
  tablesWithStreams += 1;
  const transport = openHttpTransport(endpoint, `streams${process.pid}x${database}`);
  return { transport, client: clientOf(transport), close: () => transport.close() };
}

/** The key that signs the tokens of the server; empty where nobody can know it. */
export async function tokenKey(): Promise<string> {
  await engineOfRun();
  return hasOwnEngine() ? (process.env['TOKEN_KEY'] ?? '') : '';
}

/**
 * Whether the engine of the run reports all units that AWS charges: DynamoDB Local leaves out the keys of a batch that are
 * not there, the changes by PartiQL, and of a transaction all items but one.
 */
export function reportsAllUnits(): boolean {
  return isEngineEmbedded();
}

/** Whether the engine is in this process; then requests reach it in the order in which they are sent. */
export function isEngineEmbedded(): boolean {
  return inject('givenEngine') === '';
}

/** Makes modules that are imported from now on, and clients without options, use a table of the engine of the run. */
export function useTable(tableName: string): void {
  setEnvironment({ tableName, endpoint: inject('givenEngine') || undefined });
}

let starting: Promise<OwnServer> | undefined;

function ownServer(): Promise<OwnServer> {
  return (starting ??= start());
}

async function start(): Promise<OwnServer> {
  process.env['LOG_LEVEL'] ??= 'ERROR';
  process.env['PASSWORD_ROUNDS'] ??= '16';
  const tableName = `DappleTest${process.pid}`;
  const { startServer } = await import('../../local/server.ts');
  const endpoint = inject('givenEngine') || undefined;
  const { url, engine } = await startServer({ port: 0, inMemory: true, endpoint, tableName, root: rootUser() });
  // The first request makes the functions open their store. They keep it, even if a test changes the environment.
  await fetch(`${url}/auth/validate`, { headers: { 'X-Rucio-Auth-Token': 'none' } });
  return { url, engine: { ...engine, tableName } };
}
