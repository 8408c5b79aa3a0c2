import { parseArgs } from 'node:util';

import { setEnvironment } from './environment.ts';
import { openEngine, type LocalEngine } from './open-engine.ts';

const help = `npm run recount -- [options]      counts usage anew and compares it with what is recorded

  --rse <name>      only this RSE; may be given several times
  --repair          puts right what is wrong
  --data <folder>   the data of a local server, which must not run (default: .data)
  --help            this text

Environment: TABLE_NAME names the table of a deployment, with AWS credentials that may read and write it; with
DYNAMODB_ENDPOINT, the table is that of another engine. Ends with 1 when something is wrong and was not repaired.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rse: { type: 'string', multiple: true },
      repair: { type: 'boolean', default: false },
      data: { type: 'string', default: '.data' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const engine = openEngineOf(values.data);
  try {
    const { openStore } = await import('../../lib/store/open-store.ts');
    const { recountUsage } = await import('../../lib/domain/usage/recount.ts');
    const rses = values.rse === undefined ? {} : { rses: values.rse };
    const totals: Record<string, number> = {};
    for await (const found of recountUsage(openStore(engine?.client), { ...rses, repair: values.repair })) {
      totals[found.verdict] = (totals[found.verdict] ?? 0) + 1;
      const [recorded, counted] = [found.recorded, found.counted].map(
        ({ bytes, files }) => `${bytes} B, ${files} files`,
      );
      const what = found.account === undefined ? found.rse : `${found.account} on ${found.rse}`;
      if (found.verdict !== 'right') console.log(`${found.verdict}: ${what}: ${recorded}; counted ${counted}`);
    }
    console.log(
      Object.entries(totals)
        .map(([verdict, count]) => `${count} ${verdict}`)
        .join(', ') || 'no RSEs',
    );
    if (totals['wrong'] !== undefined || totals['restless'] !== undefined) process.exitCode = 1;
  } finally {
    engine?.close();
  }
}

/** The engine of a data folder, unless the environment names a table elsewhere. */
function openEngineOf(dataDir: string): LocalEngine | undefined {
  const endpoint = process.env['DYNAMODB_ENDPOINT'] || undefined;
  if (endpoint === undefined && process.env['TABLE_NAME'] !== undefined) return undefined;
  const tableName = process.env['TABLE_NAME'] || 'Dapple';
  if (endpoint !== undefined) {
    setEnvironment({ tableName, endpoint });
    return undefined;
  }
  setEnvironment({ tableName, dataDir });
  return openEngine(dataDir);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
