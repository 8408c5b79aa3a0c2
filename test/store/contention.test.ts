import { describe, expect, it } from 'vitest';

import { BatchLog } from '../../lib/store/batches/batches.ts';
import { clientOf } from '../../local/open-engine.ts';
import { withConflicts } from '../support/conflicts.ts';
import { volumeOf } from '../support/volume.ts';
import { grow, inserts, items, lengthOf, newCounter, otherProcess, transport, write } from './counted-items.ts';

const clients = 64;
const rounds = volumeOf('contendedRounds');

describe('many clients that write to one item concurrently', () => {
  it.each([
    ['each in a process of its own', false],
    ['all in one process', true],
  ])('%s, all get through', async (_text, isOneProcess) => {
    const pk = await newCounter();
    const conflicts = withConflicts(transport);
    const shared = otherProcess(BatchLog, clientOf(conflicts.transport));
    await Promise.all(
      Array.from({ length: clients }, async (_none, client) => {
        const writer = isOneProcess ? shared : otherProcess(BatchLog, clientOf(conflicts.transport));
        for (let round = 0; round < rounds; round += 1) {
          await write([...inserts(pk, 3, (client * rounds + round) * 3), grow(pk, 3)], writer);
        }
      }),
    );
    expect(await lengthOf(pk, otherProcess())).toBe(clients * rounds * 3);
    expect(await items(pk, otherProcess())).toHaveLength(clients * rounds * 3);
    // A client that meets others does not go on to run into them.
    expect(conflicts.refused).toBeLessThan(3 * clients * rounds);
  });
});
