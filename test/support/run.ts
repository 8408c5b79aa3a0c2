/**
 * The server that the tests of this run call: one of our own, or that of `BASE_URL`. Only this module knows how a test
 * finds it.
 */
import { inject } from 'vitest';

/** An engine and the table of a server in it. */
export interface EngineOfRun {
  readonly endpoint: string;
  readonly tableName: string;
}

/** The URL of the server, without a final slash. */
export function baseUrl(): Promise<string> {
  return Promise.resolve(inject('baseUrl'));
}

/** User and password of the account root. */
export function rootUser(): { readonly username: string; readonly password: string } {
  return {
    username: process.env['ROOT_USERNAME'] || 'ddmlab',
    password: process.env['ROOT_PASSWORD'] || 'secret',
  };
}

/** Whether the run has an engine of its own: with `BASE_URL` nobody can look behind the interface. */
export function hasOwnEngine(): boolean {
  return inject('engine') !== undefined;
}

/** The engine behind the server; undefined where the run has none of its own. */
export function engineOfRun(): Promise<EngineOfRun | undefined> {
  return Promise.resolve(inject('engine'));
}

/**
 * The engine behind the server, for a test that cannot do without.
 *
 * @throws Error with a remedy when the run has no engine of its own.
 */
export async function ownEngine(): Promise<EngineOfRun> {
  const engine = await engineOfRun();
  if (engine === undefined) throw new Error('this test needs an engine of its own: run it without BASE_URL');
  return engine;
}
