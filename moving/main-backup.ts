import { required, text, toggle, type Values } from '../local/option.ts';
import { runProgram } from '../local/programs.ts';
import { dataOption, helpOption } from '../local/shared-options.ts';
import { makeBackup } from './backup/make-backup.ts';
import { removeOld } from './backup/remove-old.ts';

const options = {
  to: required('--to <folder>', 'takes the backups, each in a folder with the time in its name'),
  from: dataOption('the data of a local server, which may run meanwhile', '--from <folder>'),
  keep: text('--keep <number>', {
    default: '14',
    help: 'the latest backups that stay; the others are removed when the new one is verified',
    read: (given = '14') => readCount('--keep', given),
  }),
  keepDays: text('--keep-days <number>', {
    help: 'younger backups stay as well',
    read: (given) => (given === undefined ? 0 : readCount('--keep-days', given)),
  }),
  noTrial: toggle('--without-trial', 'compares checksums alone, and does not load the backup to see that it opens'),
  help: helpOption,
};

function readCount(option: string, given: string): number {
  if (!/^[1-9]\d{0,4}$/.test(given)) throw new Error(`\`${option}\` takes a number from 1 to 99999.`);
  return Number(given);
}

async function main({ from, to, keep, keepDays, noTrial }: Values<typeof options>): Promise<void> {
  const { folder, items, bytes } = await makeBackup({ from, to, tries: !noTrial });
  const removed = await removeOld(to, { keep, keepDays });
  const verified = noTrial ? 'checksums compared' : 'loaded again';
  console.log(`${folder}: ${items} items, ${bytes} bytes, ${verified}; ${removed.length} older removed.`);
}

await runProgram({
  usage: 'npm run dapple -- backup --to <folder> [options]',
  summary: 'takes a backup, tries it, and removes old ones',
  options,
  notes: [
    'A backup is an export (`npm run export`), which `npm run load` makes a data folder of. It has its name once it was read ' +
      'again, and loaded into a folder that is removed; the folder needs space for both. Files on storage and the key of ' +
      'tokens are not in it. Ends with 1, and removes nothing, if anything fails.',
  ],
  run: main,
});
