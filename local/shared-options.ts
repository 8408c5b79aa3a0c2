import { join, resolve } from 'node:path';

import { type Option, text, texts, toggle } from './option.ts';

/** The folder with the data of a local server; each program says what it does with it. */
export function dataOption(help: string, usage = '--data <folder>'): Option<string> {
  return text(usage, { default: '`.data`', help, read: (given = '.data') => given });
}

/** The folders with the files of RSEs. Undefined stands for the default, which {@link storageIn} computes from the data folder. */
export function storageOption(help: string): Option<string[] | undefined> {
  return texts('--storage <folder>', {
    default: '`storage` in the data folder',
    help: `${help}; may be repeated`,
    read: (given) => given?.map((folder) => resolve(folder)),
  });
}

/** The default of {@link storageOption} for a data folder. */
export const storageIn = (dataDir: string) => [resolve(join(dataDir, 'storage'))];

/** The RSEs to which a program is limited; undefined: all. */
export const rseOption = texts('--rse <name>', {
  help: 'only this RSE; may be repeated',
  read: (given) => given,
});

/** A date from which a program begins; undefined: not given. */
export function sinceOption(help: string, preset?: string): Option<number | undefined> {
  return text('--since <date>', {
    ...(preset === undefined ? {} : { default: preset }),
    help,
    read: (given) => {
      const since = given === undefined ? undefined : Date.parse(given);
      if (Number.isNaN(since)) throw new Error('`--since` takes a date such as 2026-11-20 or 2026-11-20T12:00:00Z.');
      return since;
    },
  });
}

/** Shows the help. */
export const helpOption = toggle('--help', 'shows this text');
