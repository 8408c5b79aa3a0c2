import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

import { shareInvalidations } from '../../lib/cache.ts';
import { clock } from '../../lib/clock.ts';
import { clientOf } from '../open-engine.ts';
import { startReactions } from '../start-reactions.ts';
import { MainEngine } from './main-engine.ts';
import type { FromReactions, ReactionSettings, ToReactions } from './messages.ts';
import { openReadingEngine } from './reading-engine.ts';

/* The thread of reactions: follows the stream of the table beside the main thread. */

/** Requests come first while all processors are busy: this thread then gets a tenth of what the others get. */
const niceness = 10;
// On Linux a thread has a priority of its own; elsewhere this would be the priority of the whole process.
if (process.platform === 'linux') setPriority(niceness);

if (parentPort === null) throw new Error('this module is a worker thread');
const port = parentPort;
const post = (message: FromReactions) => port.postMessage(message);

const { path, invalidations, tableName, dataDir, storage } = workerData as ReactionSettings;
shareInvalidations(invalidations);

const main = new MainEngine(post);
const transport = openReadingEngine(path, main);
const listeners = new Set<() => void>();
const reactions = startReactions({
  engine: {
    transport,
    client: clientOf(transport),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  },
  tableName,
  dataDir,
  storage,
  say: (line) => post({ kind: 'say', line }),
});

port.on('message', (message: ToReactions) => {
  switch (message.kind) {
    case 'operated':
      main.receive(message);
      break;
    case 'committed':
      clock.observe(message.time);
      post({ kind: 'heard' });
      for (const listener of listeners) listener();
      break;
    case 'stop':
      void reactions.stop().then(() => post({ kind: 'stopped' }));
      break;
  }
});
