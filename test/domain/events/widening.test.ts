import { expect, it } from 'vitest';

import type * as Announce from '../../../lib/domain/events/announce.ts';
import { endOfEvents, listEvents } from '../../../lib/store/entities/event.ts';
import type * as OpenStore from '../../../lib/store/open-store.ts';
import { newProcess } from '../../support/new-process.ts';
import { ownEngine } from '../../support/run.ts';
import { newTestStore } from '../../support/store.ts';

/** Writers conflict by chance: after these rounds they go on until one has lost so many races that it adds lanes. */
const [processes, leastRounds, mostRounds] = [12, 8, 400];

it('the log gets more lanes when many processes append at once, and keeps what each of them appends in its order', async () => {
  const store = await newTestStore();
  const { client } = await ownEngine();
  const append = async (process: number) => {
    const load = newProcess(client);
    const { makeAnnouncer } = await load<typeof Announce>('lib/domain/events/announce.ts');
    const { openStore } = await load<typeof OpenStore>('lib/store/open-store.ts');
    const announcer = makeAnnouncer(() => undefined);
    const own = openStore({ tableName: store.table.name });
    return async (from: number, until: number) => {
      for (let round = from; round < until; round += 1) {
        const after = { scope: `scope${process}`, account: `round${round}` };
        const change = { kind: 'scope', id: `${process}.${round}`, at: Date.now(), after } as const;
        await announcer.run({ store: own.begin(), now: Date.now() }, [change]);
      }
    };
  };
  const appenders = await Promise.all(Array.from({ length: processes }, (_none, process) => append(process)));
  const { table } = store.begin();
  const lanes = async () => (await endOfEvents(table.latest()))?.lanes?.length ?? 1;
  let rounds = 0;
  while (rounds < leastRounds || ((await lanes()) === 1 && rounds < mostRounds)) {
    const until = rounds + leastRounds;
    await Promise.all(appenders.map((run) => run(rounds, until)));
    rounds = until;
  }

  expect(await lanes()).toBeGreaterThan(1);
  const end = await endOfEvents(table.latest());
  const start = { at: Date.now() - 600_000, index: -1 };
  const found = (await Array.fromAsync(listEvents(table, start, end ?? start))).flat();
  const heard = found.map(({ text }) => (JSON.parse(text) as { data: { scope: string; account: string } }).data);
  for (let process = 0; process < processes; process += 1) {
    const own = heard.filter(({ scope }) => scope === `scope${process}`).map(({ account }) => account);
    expect(own).toEqual(Array.from({ length: rounds }, (_none, round) => `round${round}`));
  }
});
