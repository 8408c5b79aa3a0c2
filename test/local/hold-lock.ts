/** Locks the data folder that is named, says whether it got it, and holds it until its input ends. */
import { lockData } from '../../local/data-lock.ts';

const [folder = ''] = process.argv.slice(2);
try {
  lockData(folder);
  process.stdout.write('locked\n');
  process.stdin.resume();
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
