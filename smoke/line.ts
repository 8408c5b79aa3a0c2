import type { Deployment } from './deployment.ts';

/** Finding of a line. */
export type Finding =
  | { readonly result: 'ok' | 'skipped'; readonly came: string }
  | { readonly result: 'failed'; readonly came: string; readonly advice?: string };

/** A line of the smoke test: one thing that the deployment must do. */
export interface Line {
  readonly name: string;
  /** The attempt, as an operator would say it. */
  readonly tries: string;
  /** The remedy if it fails; a finding may know better. */
  readonly advice: string;
  /** Without it, the line is skipped: a log-in, RSEs and a dataset, or also the dataset of 1,000 files. */
  readonly needs?: 'token' | 'things' | 'files';
  run(deployment: Deployment): Promise<Finding>;
}

/** Everything came as it must. */
export const ok = (came: string): Finding => ({ result: 'ok', came });

/** It cannot be tried here. */
export const skipped = (came: string): Finding => ({ result: 'skipped', came });

/** Something else came. Without advice, that of the line applies. */
export const failed = (came: string, advice?: string): Finding => ({
  result: 'failed',
  came,
  ...(advice === undefined ? {} : { advice }),
});

/** The first failure of several parts, or all that came. */
export function all(parts: readonly Finding[]): Finding {
  const failures = parts.filter(({ result }) => result === 'failed');
  const [first] = failures;
  const came = (first === undefined ? parts : failures).map((part) => part.came).join('; ');
  return first === undefined ? ok(came) : { ...first, came };
}

/** Remedy for an answer of the front end or of a function that failed. */
export const readLogs =
  'Look into the log of the function at that time (docs/operations/checks.md); without a record, into the access log of the gateway.';

/** Remedy if answers without a body do not end. */
export const emptyAdvice =
  'The platform keeps streams without a byte open. Deploy with emptyStreams=fill; if it is so already, with responseMode=buffer. ' +
  'Until then each such request waits for the time limit of its function, which is paid for.';
