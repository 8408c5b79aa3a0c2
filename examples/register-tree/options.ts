import { parseArgs } from 'node:util';

import type { Login } from './catalogue.ts';

/** Options: the folder to register, and its place in the catalogue. */
export interface Options {
  readonly folder: string;
  readonly login: Login;
  readonly scope: string;
  readonly rse: string;
  readonly name: string | undefined;
}

/** The help text. */
export const usage = `usage: npm run dapple -- register-tree FOLDER [--url URL] [--scope SCOPE] [--rse RSE] [--name NAME]

Registers the files of a folder, lists them again, and compares.

  --url URL      the catalogue; default: RUCIO_HOST, or http://localhost:8080
  --scope SCOPE  the scope of the DIDs; default: example
  --rse RSE      the RSE of the replicas; default: EXAMPLE_DISK
  --name NAME    the container; default: name of the folder and time

The account, the user and the password come from RUCIO_ACCOUNT, RUCIO_USERNAME and RUCIO_PASSWORD
(root, ddmlab and secret by default).`;

/**
 * Reads the options of the command line.
 *
 * @returns undefined if it asks for help.
 * @throws Error with a sentence for the user.
 */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      url: { type: 'string', default: env['RUCIO_HOST'] ?? 'http://localhost:8080' },
      scope: { type: 'string', default: 'example' },
      rse: { type: 'string', default: 'EXAMPLE_DISK' },
      name: { type: 'string' },
    },
  });
  if (values.help) return undefined;
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new Error('Name one folder.');
  if (!URL.canParse(values.url)) throw new Error(`--url ${values.url} is no URL, such as http://localhost:8080.`);
  const { scope, rse, name } = values;
  const login = {
    url: values.url.replace(/\/$/, ''),
    account: env['RUCIO_ACCOUNT'] ?? 'root',
    username: env['RUCIO_USERNAME'] ?? 'ddmlab',
    password: env['RUCIO_PASSWORD'] ?? 'secret',
  };
  return { folder, login, scope, rse, name };
}
