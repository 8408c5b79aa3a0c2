import type { JudgedCatalogue } from './judge-catalogue.ts';
import type { LocalEngine } from './open-engine.ts';
import { text, type Values } from './option.ts';
import { describeTable, openEngineOf, runProgram } from './programs.ts';
import { dataOption, helpOption } from './shared-options.ts';

const options = {
  policy: text('--policy <name>', {
    default: '`POLICY`, or `generic`',
    help: 'a policy by its name, or by the path of its file',
    read: (given = process.env['POLICY'] || 'generic') => given,
  }),
  data: dataOption('the data of a local server, which must not run'),
  url: text('--url <url>', {
    help: 'instead of `--data`: a server, a Dapple or a Rucio, that is asked over REST',
    read: (given) => {
      if (given === undefined || URL.canParse(given)) return given;
      throw new Error('--url takes the URL of a server, such as http://localhost:8080.');
    },
  }),
  help: helpOption,
};

/** How many names of a kind are shown. */
const shown = 5;

async function check({ policy, data, url }: Values<typeof options>): Promise<void> {
  // The rules for names are made of it when they are loaded.
  process.env['POLICY'] = policy;
  const engine = url === undefined ? openEngineOf(data) : undefined;
  try {
    const { judgeCatalogue } = await import('./judge-catalogue.ts');
    const findings = await judgeCatalogue(url === undefined ? await openTable(engine) : await openServer(url));
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

async function openTable(engine: LocalEngine | undefined): Promise<JudgedCatalogue> {
  const { openStore } = await import('../lib/store/open-store.ts');
  const { judgedTable } = await import('./judged-table.ts');
  return judgedTable(openStore(engine?.client));
}

async function openServer(url: string): Promise<JudgedCatalogue> {
  const { openSession } = await import('../moving/compare/session.ts');
  const { judgedServer } = await import('./judged-server.ts');
  const { RUCIO_TOKEN: token, RUCIO_USERNAME: username = 'ddmlab', RUCIO_PASSWORD: password = 'secret' } = process.env;
  const account = process.env['RUCIO_ACCOUNT'] || 'root';
  return judgedServer(openSession({ url, credentials: token ? { token } : { username, password, account } }));
}

const [, , command, ...rest] = process.argv;
if (command === 'check') process.argv.splice(2, Number.POSITIVE_INFINITY, ...rest);
await runProgram({
  usage: 'npm run policy -- check [options]',
  summary: 'says what of a catalogue a policy would refuse',
  options,
  notes: [
    describeTable('read', 'Ends with 1 when something would be refused.'),
    'With `--url`: RUCIO_USERNAME, RUCIO_PASSWORD and RUCIO_ACCOUNT log in (ddmlab, secret, root), or RUCIO_TOKEN is a token.',
  ],
  run: check,
});
