import { required, text, toggle } from '../../option.ts';
import { dataOption, helpOption } from '../../shared-options.ts';

/** The options of the command `backup`. */
export const backupOptions = {
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
