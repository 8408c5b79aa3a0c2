import { text } from './option.ts';
import { describeTable, openEngineOf, runProgram } from './programs.ts';
import { dataOption, helpOption } from './shared-options.ts';

const options = {
  policy: text('--policy <name>', {
    default: '`POLICY`, or `generic`',
    help: 'a policy by its name, or by the path of its file',
    read: (given = process.env['POLICY'] || 'generic') => given,
  }),
  data: dataOption('the data of a local server, which must not run'),
  help: helpOption,
};

/** How many names of a kind are shown. */
const shown = 5;

async function check({ policy, data }: { readonly policy: string; readonly data: string }): Promise<void> {
  // The rules for names are made of it when they are loaded.
  process.env['POLICY'] = policy;
  const engine = openEngineOf(data);
  try {
    const { openStore } = await import('../lib/store/open-store.ts');
    const { judgeCatalogue } = await import('./judge-catalogue.ts');
    const findings = await judgeCatalogue(openStore(engine?.client));
    for (const { what, checked, refused } of findings) {
      console.log(`${what}: ${checked} checked, ${refused.length} would not be allowed any more`);
      for (const one of refused.slice(0, shown)) console.log(`  ${one}`);
      if (refused.length > shown) console.log(`  and ${refused.length - shown} more`);
    }
    const count = findings.reduce((sum, { refused }) => sum + refused.length, 0);
    if (count === 0) return;
    console.log('These stay as they are: they can be read, listed and deleted, but no more like them be made.');
    process.exitCode = 1;
  } finally {
    engine?.close();
  }
}

const [, , command, ...rest] = process.argv;
if (command === 'check') process.argv.splice(2, Number.POSITIVE_INFINITY, ...rest);
await runProgram({
  usage: 'npm run policy -- check [options]',
  summary: 'says what of a catalogue a policy would refuse',
  options,
  notes: [describeTable('read', 'Ends with 1 when something would be refused.')],
  run: check,
});
