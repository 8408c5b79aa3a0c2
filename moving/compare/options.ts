import { parseOptions, text, toggle } from '../../local/option.ts';
import { describeProgram } from '../../local/programs.ts';
import { helpOption } from '../../local/shared-options.ts';
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

const options = {
  left: serverOption('--left <url>', 'a Rucio or a Dapple, such as the server that is left'),
  right: serverOption('--right <url>', 'a Rucio or a Dapple, such as the server that is moved to'),
  only: text('--only <parts>', {
    help: `only these parts, separated by commas: ${partNames.join(', ')}`,
    read: (given = '') => readParts(given),
  }),
  scopes: text('--scopes <scopes>', {
    help: 'only the DIDs, replicas, rules and locks of these scopes, separated by commas',
    read: (given = '') => listOf(given),
  }),
  share: text('--sample <share>', {
    help: 'only this share of all DIDs, such as 0.01; the same DIDs on both servers and in every run',
    read: (given = '1') => {
      const share = Number(given);
      if (!(share > 0 && share <= 1)) throw new Error('--sample takes a number above 0 and up to 1.');
      return share;
    },
  }),
  parallel: text('--parallel <number>', {
    default: '8',
    help: 'requests that each server gets at a time',
    read: (given = '8') => {
      const parallel = Number(given);
      if (!Number.isInteger(parallel) || parallel < 1) throw new Error('--parallel takes a number of 1 or more.');
      return parallel;
    },
  }),
  json: toggle('--json', 'differences and summary as lines of JSON'),
  decided: toggle(
    '--decided',
    'also lists the differences that were decided (docs/compatibility.md); otherwise they are counted',
  ),
  help: helpOption,
};

/** The text of `--help`. */
export const help = describeProgram({
  usage: 'npm run compare -- --left <url> --right <url> [options]',
  summary: 'tells every difference of two catalogues',
  options,
  notes: [
    'Environment: LEFT_USERNAME, LEFT_PASSWORD, LEFT_ACCOUNT log in to the left server (ddmlab, secret, root), or LEFT_TOKEN ' +
      'is a token for it; RIGHT_... to the right one. The accounts must be allowed to see everything, such as root.',
    'Ends with 0: equal, 1: different, 2: could not be compared.',
  ],
});

/**
 * Reads the command line.
 *
 * @returns Undefined if help is asked for.
 * @throws Error that says what is wrong with it.
 */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): Options | undefined {
  const values = parseOptions(options, args);
  if (values === undefined) return undefined;
  return {
    ...values,
    left: { url: values.left, credentials: credentialsOf('LEFT', environment) },
    right: { url: values.right, credentials: credentialsOf('RIGHT', environment) },
  };
}

function listOf(given: string): string[] {
  return given.split(',').filter((element) => element !== '');
}

function readParts(given: string): string[] {
  const parts = listOf(given);
  const unknown = parts.filter((name) => !partNames.includes(name));
  if (unknown.length === 0) return parts;
  throw new Error(`There is no part ${unknown.join(', ')}. The parts are ${partNames.join(', ')}.`);
}

function serverOption(usage: string, meaning: string) {
  return text(usage, {
    help: meaning,
    read: (given) => {
      if (given === undefined) throw new Error(`${usage} is missing.`);
      if (URL.canParse(given)) return given;
      throw new Error(`${usage.split(' ')[0]} takes the URL of a server, such as http://localhost:8080.`);
    },
  });
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
