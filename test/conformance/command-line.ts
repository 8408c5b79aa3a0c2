import { parseArgs } from 'node:util';

import { scenarios } from './scenarios/index.ts';
import type { Scenario } from './types.ts';

/** The arguments of both programs: `--base-url URL` and, optionally, names of scenarios. */
export interface Arguments {
  readonly baseUrl: string;
  readonly chosen: readonly Scenario[];
}

/** Reads the command line; all scenarios are chosen when none is named. */
export function readArguments(): Arguments {
  const { values, positionals } = parseArgs({
    options: { 'base-url': { type: 'string' } },
    allowPositionals: true,
  });
  const baseUrl = values['base-url'];
  if (baseUrl === undefined) throw new Error('--base-url URL is required');
  const unknown = positionals.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) throw new Error(`no such scenario: ${unknown.join(', ')}`);
  return {
    baseUrl,
    chosen: positionals.length === 0 ? scenarios : scenarios.filter(({ name }) => positionals.includes(name)),
  };
}
