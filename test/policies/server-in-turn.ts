import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type PolicyServer, startWithPolicy } from './start-with-policy.ts';

/** A folder that movers reach. */
export const storage = mkdtempSync(join(tmpdir(), 'policy-storage-'));

let running: { readonly policy: string; readonly server: PolicyServer } | undefined;

/**
 * The server of a policy. It serves all suites in turn until one asks for that of another policy, so suites use scopes, accounts
 * and RSEs of their own.
 */
export async function serverInTurn(policy: string): Promise<PolicyServer> {
  if (running?.policy === policy) return running.server;
  await stopRunning();
  const server = await startWithPolicy(policy, ['--in-memory', '--storage', storage]);
  running = { policy, server };
  return server;
}

/** Stops the last server, and removes the folder. */
export async function endTurns(): Promise<void> {
  await stopRunning();
  rmSync(storage, { recursive: true });
}

async function stopRunning(): Promise<void> {
  await running?.server.process.stop();
  running = undefined;
}
