import type { RequestListener } from 'node:http';

import { clock } from '../../lib/clock.ts';
import { issueToken } from '../../lib/domain/tokens/token.ts';
import { getOrigin, listIdentitiesOf } from '../../lib/store/entities/identity.ts';
import type { Store } from '../../lib/store/open-store.ts';
import { listen } from '../engine/src/listen.ts';
import { type JobHelp, Jobs, type JobOptions } from './jobs.ts';

/** A server whose jobs run. */
export interface JobServer extends Omit<JobOptions, 'prepare'> {
  readonly store: Store;
  /** The interface. */
  readonly served: RequestListener;
}

/** Opens the jobs of a server. Its commands read its data folder, or ask it as root. */
export function openJobs({ store, served, ...options }: JobServer): Jobs {
  const { dataDir } = options;
  const prepare = async (command: string): Promise<JobHelp> => {
    if (command === 'backup') return { args: ['--from', dataDir], environment: {} };
    if (command === 'report') return { args: ['--data', dataDir], environment: {} };
    return askAsRoot(store, served);
  };
  return new Jobs({ ...options, prepare });
}

/** A port for one run, on loopback and without TLS, and a token of root. */
async function askAsRoot(store: Store, served: RequestListener): Promise<JobHelp> {
  const RUCIO_AUTH_TOKEN = await issueRootToken(store);
  const door = await listen(0, served);
  const environment = { RUCIO_HOST: `http://127.0.0.1:${door.port}`, RUCIO_AUTH_TOKEN };
  return { args: [], environment, end: () => door.close() };
}

async function issueRootToken(store: Store): Promise<string> {
  const { table } = store.begin();
  for await (const key of listIdentitiesOf(table, 'root')) {
    const origin = await getOrigin(table, 'root', key);
    if (origin === undefined) continue;
    const { token } = await issueToken({ account: 'root', identity: key.identity, origin }, clock.now());
    return token;
  }
  throw new Error('The account root has no identity, so that nothing can be asked in its name.');
}
