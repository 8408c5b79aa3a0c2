import { backupOptions as options } from '../local/jobs/commands/backup-options.ts';
import type { Values } from '../local/option.ts';
import { runProgram } from '../local/programs.ts';
import { makeBackup } from './backup/make-backup.ts';
import { removeOld } from './backup/remove-old.ts';

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
