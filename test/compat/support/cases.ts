/** Cases of the command line, each under the name of its command. */
import { expect, it } from 'vitest';

import type { Ran } from '../results.ts';
import type { Outcome } from './client-home.ts';

const ran: Ran[] = [];

/** Declares a test of a command. */
export function command(name: string, rule: string, run: () => Promise<void>): void {
  it(`rucio ${name}: ${rule}`, async () => {
    const error = await run().then(
      () => undefined,
      (reason: unknown) => reason ?? new Error('failed without a reason'),
    );
    ran.push({ name, rule, differs: null, failed: error !== undefined });
    if (error !== undefined) throw error;
  });
}

/** The cases that have run so far. */
export function casesRun(): readonly Ran[] {
  return ran;
}

/** Expects success with an output that matches, and nothing on the error stream. */
export function expectPrinted(outcome: Outcome, output: string | RegExp): void {
  expect({ ...outcome, stdout: outcome.stdout.trim() }).toEqual({
    status: 0,
    stdout: typeof output === 'string' ? output : expect.stringMatching(output),
    stderr: '',
  });
}

/** Expects success with any output. */
export function expectSuccess(outcome: Outcome): Outcome {
  expect({ status: outcome.status, stderr: outcome.stderr }).toEqual({ status: 0, stderr: '' });
  return outcome;
}

/** Expects success with this text among what is logged, and nothing printed. */
export function expectLogged(outcome: Outcome, text: string): void {
  expect(outcome).toEqual({ status: 0, stdout: '', stderr: expect.stringContaining(text) });
}

/** Expects a failure with this exit status and this text among what is logged. */
export function expectFailure(outcome: Outcome, status: number, text: string): void {
  expect(outcome).toEqual({ status, stdout: '', stderr: expect.stringContaining(text) });
}
