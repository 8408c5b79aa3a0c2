import { noteBackup } from '../local/last-backup.ts';
import { required, text, toggle, type Values } from '../local/option.ts';
import { describeTable, runProgram } from '../local/programs.ts';
import { dataOption, helpOption, sinceOption } from '../local/shared-options.ts';
import { exportData, isDataFolder, withCopy } from './export/export-data.ts';
import { bytesIn, recordsIn } from './export/manifest.ts';
import { showCount } from './export/show-count.ts';

const options = {
  to: required('--to <folder>', 'takes the files; a new folder, or an empty one'),
  from: dataOption('the data of a local server, which may run meanwhile', '--from <folder>'),
  format: text('--format <format>', {
    default: 'dapple',
    help: 'dapple: everything, to be loaded again; rucio: what a Rucio takes over REST',
    read: (given = 'dapple') => {
      if (given !== 'dapple' && given !== 'rucio') throw new Error('`--format` is dapple or rucio.');
      return given;
    },
  }),
  since: sinceOption('with --format rucio: only DIDs, replicas and rules that were made since then'),
  withoutPasswords: toggle('--without-passwords', 'leaves out the hashes of passwords'),
  help: helpOption,
};

async function main(values: Values<typeof options>): Promise<void> {
  const { from, to, format, since = 0 } = values;
  if (format === 'rucio') {
    const { exportForRucio } = await import('./export/rucio/export-for-rucio.ts');
    const lines = await withCopy(from, ({ store }) => exportForRucio({ store, folder: to, since }));
    for (const line of lines) console.log(line);
    return;
  }
  const begun = Date.now();
  const isWhole = isDataFolder() && !values.withoutPasswords;
  const progress = showCount('items');
  try {
    const { files } = await exportData({ from, to, passwords: !values.withoutPasswords, onProgress: progress.count });
    if (isWhole) noteBackup(from, begun);
    progress.clear();
    console.log(`${recordsIn(files)} items in ${files.length} files, ${bytesIn(files)} bytes.`);
  } finally {
    progress.clear();
  }
}

await runProgram({
  usage: 'npm run export -- --to <folder> [options]',
  summary: 'writes a whole catalogue as files of JSON lines',
  options,
  notes: [
    describeTable('scan', 'Nobody should write to such a table meanwhile: restore a copy of it and export that.'),
  ],
  run: main,
});
