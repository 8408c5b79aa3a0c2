/** Makes random changes on a server with the seed: `node test/moving/seed/change.ts --help`. */
import { parseArgs } from 'node:util';

import { openSession } from '../../../moving/compare/session.ts';
import { randomChanges } from './random-changes.ts';

const help = `node test/moving/seed/change.ts [options]      changes a seeded Rucio or Dapple at random, over REST

  --url <url>          the server (default: http://127.0.0.1:8873)
  --changes <number>   how many (default: 1000)
  --random <number>    the same changes follow from the same number (default: 1)
  --files <number>     files of the mass of the seed (default: 100000)
  --help               this text

Environment: SEED_USERNAME and SEED_PASSWORD log in as root (ddmlab, secret).`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8873' },
      changes: { type: 'string', default: '1000' },
      random: { type: 'string', default: '1' },
      files: { type: 'string', default: '100000' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const username = process.env['SEED_USERNAME'] ?? 'ddmlab';
  const password = process.env['SEED_PASSWORD'] ?? 'secret';
  const session = openSession({ url: values.url, credentials: { username, password, account: 'root' } });
  const begun = performance.now();
  let made = 0;
  const refused = new Map<string, number>();
  for (const steps of randomChanges(Number(values.changes), Number(values.random), Number(values.files) / 1000)) {
    let isMade = true;
    for (const [method, path, body] of steps) {
      const { status, text } = await session.call(method, path, body);
      if (status < 300) continue;
      isMade = false;
      // Random changes may contradict each other, such as a file that is detached twice.
      const kind = `${method} ${path.split('/').slice(0, 2).join('/')} ${status} ${text.slice(0, 90)}`;
      refused.set(kind, (refused.get(kind) ?? 0) + 1);
    }
    if (isMade) made += 1;
  }
  console.log(`${made} of ${values.changes} changes made in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  for (const [kind, count] of refused) console.log(`refused ${count} times: ${kind}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
