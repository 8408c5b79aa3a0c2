/** A process of the streaming mover, which may be killed: runs until its parent ends it. */
import { setTimeout as sleep } from 'node:timers/promises';

import { moveData } from '../../lib/background/move-data.ts';
import { StreamMover } from '../../lib/movers/stream/stream-mover.ts';
import { openStore } from '../../lib/store/open-store.ts';

const folder = process.argv[2] ?? '';
const keys = { accessKey: 'AKID', secretKey: 'secret', region: 'eu-test-1' };
const mover = new StreamMover({
  folders: [folder],
  findKeys: async () => keys,
  findToken: async () => undefined,
  // Impatient, so that silence costs little time.
  retryPolicy: { answerMs: 3_000, slowAnswerMs: 3_000, attempts: 5, firstPauseMs: 20, longestPauseMs: 500 },
  upload: { partBytes: 65_536 },
});
const store = openStore();
const { signal } = new AbortController();

process.stdout.write('ready\n');
for (;;) {
  const options = { movers: [mover], holder: `bench ${process.pid}`, until: Number.MAX_SAFE_INTEGER, signal };
  await moveData(store.begin(), options);
  await sleep(200);
}
