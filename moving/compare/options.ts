import { parseArgs } from 'node:util';

import { partNames } from './parts/parts.ts';
import type { Credentials } from './session.ts';

/** Settings from the command line and the environment. */
export interface Options {
  readonly left: { readonly url: string; readonly credentials: Credentials };
  readonly right: { readonly url: string; readonly credentials: Credentials };
  readonly only: readonly string[];
  readonly scopes: readonly string[];
  /** The share of DIDs to compare, from 0 to 1. */
  readonly share: number;
  readonly parallel: number;
  readonly json: boolean;
  readonly decided: boolean;
}

export const help = `npm run compare -- --left <url> --right <url> [options]      tells every difference of two catalogues

  --left <url>         a Rucio or a Dapple, such as the server that is left
  --right <url>        a Rucio or a Dapple, such as the server that is moved to
  --only <parts>       only these parts, separated by commas:
                       ${partNames.slice(0, 8).join(', ')},
                       ${partNames.slice(8).join(', ')}
  --scopes <scopes>    only the DIDs, replicas, rules and locks of these scopes, separated by commas
  --sample <share>     only this share of all DIDs, such as 0.01; the same DIDs on both servers and in every run
  --parallel <number>  requests that each server gets at a time (default: 8)
  --json               differences and summary as lines of JSON
  --decided            also lists the differences that were decided (docs/compatibility.md); otherwise they are counted
  --help               this text

Environment: LEFT_USERNAME, LEFT_PASSWORD, LEFT_ACCOUNT log in to the left server (ddmlab, secret, root), or LEFT_TOKEN is a
token for it; RIGHT_... to the right one. The accounts must be allowed to see everything, such as root.
Ends with 0: equal, 1: different, 2: could not be compared.`;

/**
 * Reads the command line.
 *
 * @returns Undefined if help is asked for.
 * @throws Error that says what is wrong with it.
 */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      left: { type: 'string' },
      right: { type: 'string' },
      only: { type: 'string', default: '' },
      scopes: { type: 'string', default: '' },
      sample: { type: 'string', default: '1' },
      parallel: { type: 'string', default: '8' },
      json: { type: 'boolean', default: false },
      decided: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const only = listOf(values.only);
  const unknown = only.filter((name) => !partNames.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no part ${unknown.join(', ')}. The parts are ${partNames.join(', ')}.`);
  const share = Number(values.sample);
  if (!(share > 0 && share <= 1)) throw new Error('--sample takes a number above 0 and up to 1.');
  const parallel = Number(values.parallel);
  if (!Number.isInteger(parallel) || parallel < 1) throw new Error('--parallel takes a number of 1 or more.');
  return {
    left: { url: requireUrl('left', values.left), credentials: credentialsOf('LEFT', environment) },
    right: { url: requireUrl('right', values.right), credentials: credentialsOf('RIGHT', environment) },
    only,
    scopes: listOf(values.scopes),
    share,
    parallel,
    json: values.json,
    decided: values.decided,
  };
}

const listOf = (text: string) => text.split(',').filter((element) => element !== '');

function requireUrl(side: string, url: string | undefined): string {
  if (url === undefined) throw new Error(`--${side} <url> is missing.`);
  if (!URL.canParse(url)) throw new Error(`--${side} takes the URL of a server, such as http://localhost:8080.`);
  return url;
}

function credentialsOf(side: 'LEFT' | 'RIGHT', environment: NodeJS.ProcessEnv): Credentials {
  const token = environment[`${side}_TOKEN`];
  if (token !== undefined) return { token };
  return {
    username: environment[`${side}_USERNAME`] ?? 'ddmlab',
    password: environment[`${side}_PASSWORD`] ?? 'secret',
    account: environment[`${side}_ACCOUNT`] ?? 'root',
  };
}
