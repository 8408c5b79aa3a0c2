/** The versions of the official client that the suite tries, each with everything that it brings along on Python 3.11. */

/** Names of the commands of a client. */
export type Spelling = 'rucio-admin' | 'rucio';

/** A version of the official client. */
export interface Client {
  readonly version: string;
  /** Packages in exact versions. */
  readonly packages: readonly string[];
  readonly spellings: readonly Spelling[];
  /** The words of today's spelling that were others before. */
  readonly words: Readonly<Record<'set' | 'unset' | 'hostname', string>>;
  /** Whether today's spelling exits with 0 when the server has refused. */
  readonly hidesFailures: boolean;
}

const common = ['attrs==26.1.0', 'certifi==2026.10.19.post1', 'decorator==5.3.1', 'idna==3.20', 'stevedore==5.10.0'];
/** A client without a wheel is built by it; a newer one lacks the module pkg_resources. */
const builder = 'setuptools==79.0.1';
const schema = [
  'jsonschema-specifications==2025.9.1',
  'referencing==0.37.0',
  'rpds-py==2026.9.1',
  'typing_extensions==4.16.0',
];

const of129 = [
  ...common,
  builder,
  'charset-normalizer==2.0.12',
  'dogpile.cache==1.1.5',
  'jsonschema==3.2.0',
  'pyrsistent==0.20.0',
  'requests==2.27.1',
  'six==1.17.0',
  'tabulate==0.8.10',
  'urllib3==1.26.8',
];
const of32 = [
  ...common,
  ...schema,
  builder,
  'charset-normalizer==3.5.3',
  'dogpile.cache==1.2.2',
  'jsonschema==4.18.6',
  'requests==2.31.0',
  'tabulate==0.9.0',
  'urllib3==1.26.20',
];
const newer = [
  ...common,
  ...schema,
  'charset-normalizer==3.5.3',
  'jsonschema==4.26.0',
  'requests==2.34.2',
  'tabulate==0.10.0',
  'urllib3==2.8.0',
];
const of35 = [...newer, builder, 'dataclasses==0.6', 'dogpile.cache==1.2.2'];
const of38 = [
  ...newer,
  'click==8.5.1',
  'dogpile.cache==1.5.0',
  'markdown-it-py==4.3.0',
  'mdurl==0.1.2',
  'packaging==26.4',
  'Pygments==2.21.0',
  'rich==15.0.0',
];

const words: Client['words'] = { set: 'set', unset: 'unset', hostname: '--hostname' };
const wordsOf38: Client['words'] = { set: 'add', unset: 'remove', hostname: '--host' };

const older = { spellings: ['rucio-admin'], words, hidesFailures: false } as const;
const both = { spellings: ['rucio-admin', 'rucio'], words, hidesFailures: false } as const;

const client = (version: string, packages: readonly string[], ways: Omit<Client, 'version' | 'packages'>): Client => ({
  version,
  packages: [...packages, `rucio-clients==${version}`],
  ...ways,
});

/** The oldest and the newest of each line. Those with both spellings are tried in both. */
export const clients: readonly Client[] = [
  client('1.29.0', of129, older),
  client('1.29.19', of129, older),
  client('32.0.0', of32, older),
  client('32.8.6', of32, older),
  client('35.0.0', of35, older),
  client('35.9.2', of35, older),
  client('38.0.0', of38, { ...both, words: wordsOf38, hidesFailures: true }),
  client('38.6.4', of38, { ...both, words: wordsOf38, hidesFailures: true }),
  client('41.0.0', of38, both),
  client('41.5.1', of38, both),
];
