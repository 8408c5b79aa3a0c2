import { beforeAll, describe, expect, it } from 'vitest';

import type { ReportedRequest, TransferOutcome } from '../../../lib/contract/schemas/transfer-lease.ts';
import { type LeasedTransfer, leaseTransfers } from '../../../lib/domain/requests/lease-transfers.ts';
import { reportTransfers } from '../../../lib/domain/requests/report-transfers.ts';
import { listTransfersTo } from '../../../lib/store/entities/transfer.ts';
import { openStore, type Store } from '../../../lib/store/open-store.ts';
import { type FaultyEngine, newFaultyEngine, transactionConflict } from '../../support/faulty-engine.ts';
import { skipPauses } from '../../support/pauses.ts';
import { ownEngine } from '../../support/run.ts';
import { volumeOf, seedFrom } from '../../support/volume.ts';
import { type MoverCatalogue, newMoverCatalogue } from './movers.ts';

skipPauses();

const minute = 60_000;
const seed = seedFrom('MOVERS_SEED');
let engine: FaultyEngine;

beforeAll(async () => {
  engine = newFaultyEngine(await ownEngine());
});

/** A sequence of random numbers below 1 that a seed repeats (mulberry32). */
function newRandom(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Movers that do everything wrong, and the truth about the copies: which are in their places. */
class HostileMovers {
  /** Files whose copies were made and are right. */
  readonly copied = new Set<string>();
  /** How often a file was copied, by name. */
  readonly made = new Map<string, number>();
  readonly #catalogue: MoverCatalogue;
  readonly #store: Store;
  readonly #random: () => number;
  /** Reports that are sent late, or again. */
  readonly #late: { readonly leased: LeasedTransfer; readonly report: Partial<ReportedRequest> }[] = [];

  constructor(catalogue: MoverCatalogue, store: Store, random: () => number) {
    this.#catalogue = catalogue;
    this.#store = store;
    this.#random = random;
  }

  /** Leases some transfers, and does something with each. Whatever fails may have taken effect. */
  async act(now: number, honesty: number): Promise<void> {
    const limit = 1 + Math.floor(this.#random() * 10);
    const wish = { holder: 'm', destinations: [await this.#catalogue.rse('BBB')], limit, seconds: 600 };
    const leased = await leaseTransfers({ store: this.#store.begin(), now }, wish).catch(() => []);
    for (const one of leased) await this.#handle(one, now, honesty);
    while (this.#late.length > 0 && this.#random() < 0.5) {
      const { leased: old, report } = this.#late.shift() ?? {};
      if (old !== undefined && report !== undefined) await this.#send(old, now, report);
    }
  }

  async #handle(leased: LeasedTransfer, now: number, honesty: number): Promise<void> {
    const { name } = leased.details.transfer.did;
    if (this.#random() > honesty) {
      const deed = Math.floor(this.#random() * 5);
      // Never reports.
      if (deed === 0) return;
      if (deed === 1) return void (await this.#send(leased, now, { state: 'FAILED', err_msg: 'broken' }));
      if (deed === 2) return void (await this.#send(leased, now, { state: 'DONE', bytes: 9 }));
      if (deed === 3) return void (await this.#send(leased, now, { state: 'QUEUED' }));
      // Makes the copy, and reports when its lease is long over.
      this.#copy(name);
      this.#late.push({ leased, report: { state: 'DONE', bytes: 10 } });
      return;
    }
    this.#copy(name);
    const report = { state: 'DONE', bytes: 10 } as const;
    // A lost answer: it reports again.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      if ((await this.#send(leased, now, report)) !== undefined) break;
    }
    if (this.#random() < 0.3) this.#late.push({ leased, report });
  }

  #copy(name: string): void {
    this.copied.add(name);
    this.made.set(name, (this.made.get(name) ?? 0) + 1);
  }

  async #send(
    leased: LeasedTransfer,
    now: number,
    report: Partial<ReportedRequest>,
  ): Promise<TransferOutcome | undefined> {
    const whole = {
      ...leased.details.transfer.did,
      lease: leased.lease.id,
      state: 'DONE' as const,
      adler32: '0cc737eb',
      ...report,
    };
    const context = { store: this.#store.begin(), now };
    const [outcome] = await reportTransfers(context, leased.details.destination, [whole]).catch(() => []);
    return outcome;
  }
}

describe(`movers that report twice, late, wrongly or never, in a table that fails (MOVERS_SEED=${seed})`, () => {
  it.each(Array.from({ length: volumeOf('hostileMovers') }, (_value, index) => seed + index))(
    'lose no transfer, and no replica is available before its copy was made: %i',
    async (from) => {
      const random = newRandom(from);
      const catalogue = await newMoverCatalogue();
      const names = Array.from({ length: 40 }, (_value, index) => `f${index}`);
      const rules = await catalogue.want(names);
      const store = openStore({ ...engine.client, tableName: catalogue.store.table.name });
      const movers = new HostileMovers(catalogue, store, random);
      engine.injectFaults((operation) => {
        const draw = random();
        if (!/Update|Put|Delete|Transact/.test(operation) || draw > 0.2) return undefined;
        if (operation === 'TransactWriteItems' && draw < 0.07) return transactionConflict;
        return { kind: draw < 0.14 ? 'lose answer' : 'hang up' };
      });
      let now = Date.now() + 1_000;
      for (let round = 0; round < 30; round += 1) {
        await Promise.all([movers.act(now, 0.5), movers.act(now, 0.5), movers.act(now, 0.5)]);
        now += Math.floor(random() * 12 * minute);
        for (const name of names) {
          const state = (await catalogue.file(name)).replicas.get(catalogue.rseIds.BBB)?.state;
          if (state === 'A') expect(movers.copied).toContain(name);
        }
      }
      engine.injectFaults(() => undefined);
      for (let round = 0; round < 40; round += 1, now += 20 * minute) await movers.act(now, 1);
      const { table } = catalogue.at().store;
      expect(await Array.fromAsync(listTransfersTo(table.latest(), catalogue.rseIds.BBB))).toEqual([]);
      const states = await Promise.all(rules.map((rule) => catalogue.show(rule)));
      // A transfer that failed four times has left its rule stuck, as it must.
      expect(states.filter((state) => !/^(OK 1\/0\/0|STUCK 0\/0\/1)$/.test(state))).toEqual([]);
      expect(states.filter((state) => state === 'OK 1/0/0').length).toBeGreaterThan(names.length / 2);
      await catalogue.recount();
    },
    60_000,
  );
});
