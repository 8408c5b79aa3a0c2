/** A command of the package. */
export interface Command {
  /** Its task, in a few words. */
  readonly summary: string;
  /** The same in the repository, as npm runs it; absent: `npm run` with the name. */
  readonly inRepository?: string;
  /** Runs it: the program reads what follows the command from `process.argv`. */
  readonly run: () => Promise<unknown>;
}

/** Every command of the package, by its name. Help, completion and the bundle are derived from this. */
export const commands: Readonly<Record<string, Command>> = {
  start: {
    summary: 'serves a catalogue on this machine',
    inRepository: 'npm start',
    run: () => import('../local/main.ts'),
  },
  export: { summary: 'writes a whole catalogue as files', run: () => import('../moving/main-export.ts') },
  backup: {
    summary: 'takes a backup and tries it',
    inRepository: 'npm run dapple -- backup',
    run: () => import('../moving/main-backup.ts'),
  },
  report: {
    summary: 'usage by account, group and RSE, as CSV',
    inRepository: 'npm run dapple -- report',
    run: () => import('../moving/main-report.ts'),
  },
  load: { summary: 'makes a catalogue of an export', run: () => import('../moving/main-load.ts') },
  import: { summary: "takes a Rucio server's database", run: () => import('../moving/main-import.ts') },
  compare: { summary: 'tells every difference of two catalogues', run: () => import('../moving/main-compare.ts') },
  reap: { summary: 'says what the reaper would delete', run: () => import('../local/reap.ts') },
  policy: { summary: 'says what a policy would refuse', run: () => import('../local/policy.ts') },
  recount: { summary: 'counts usage anew', run: () => import('../local/recount.ts') },
  users: {
    summary: 'makes users of a CSV file',
    inRepository: 'npm run dapple -- users',
    run: () => import('../local/users.ts'),
  },
  passwd: { summary: 'sets the password of a username', run: () => import('../local/passwd.ts') },
  recover: { summary: 'rolls back what a backup holds half done', run: () => import('../local/recover.ts') },
  'catch-up': { summary: 'finds what followed from no change', run: () => import('../local/catch-up.ts') },
  smoke: { summary: 'tries a deployment from outside', run: () => import('../smoke/main.ts') },
  'check-storage': {
    summary: 'compares a storage with the catalogue',
    run: () => import('../examples/check-storage/main.ts'),
  },
  'register-tree': {
    summary: 'registers the files of a folder',
    inRepository: 'npm run dapple -- register-tree',
    run: () => import('../examples/register-tree/main.ts'),
  },
};

/** The pattern of an npm command that the package has, and the name of the package's command for it. */
const names = new Map(
  Object.entries(commands).map(([name, { inRepository = `npm run ${name}` }]) => [inRepository, name] as const),
);
const pattern = new RegExp(`(${[...names.keys()].join('|')})(?![\\w:-])(?: --(?= ))?`, 'g');

/** A text that names commands as the repository has them, with those of the package in their place. */
export function nameCommands(text: string): string {
  return text.replaceAll(pattern, (_match, command: string) => `dapple ${names.get(command)}`);
}
