import { adler32Of, pathOf } from './content.ts';
import type { Reply } from './fleet.ts';
import type { Random } from './random.ts';
import type { SimulatedStorage } from './storage.ts';

/** Ends of the transfers that a mover leases. */
export type MoverWish = {
  readonly rse: string;
  readonly count: number;
  readonly state: 'DONE' | 'FAILED' | 'QUEUED' | 'SUBMITTED';
  /** Between the lease and the report; the lease may end meanwhile. */
  readonly milliseconds: number;
};

interface Transfer {
  readonly scope: string;
  readonly name: string;
  readonly lease: string;
}

interface LeasedTransfer extends Transfer {
  readonly adler32: string | null;
  readonly sources: readonly { readonly rse: string }[];
}

interface Outcome extends Transfer {
  readonly state: string;
  readonly adler32?: string;
}

/** The seconds of a lease. */
const leaseSeconds = 20;

/** How often a mover sends a report that gets no answer. */
const reports = 3;

/** A mover: it leases transfers to an RSE, reports about them, and repeats a report without an answer. */
export class SimulatedMover {
  readonly #post: (path: string, body: object, random: Random) => Promise<Reply | undefined>;
  readonly #sleep: (milliseconds: number) => Promise<void>;
  readonly #storage: SimulatedStorage;
  /** The states that reports were answered with, by lease. */
  readonly #answered = new Map<string, string>();
  readonly flaws: string[] = [];

  constructor(
    post: (path: string, body: object, random: Random) => Promise<Reply | undefined>,
    sleep: (milliseconds: number) => Promise<void>,
    storage: SimulatedStorage,
  ) {
    this.#post = post;
    this.#sleep = sleep;
    this.#storage = storage;
  }

  async move({ rse, count, state, milliseconds }: MoverWish, random: Random): Promise<void> {
    const wish = { holder: 'mover', dst_rse: rse, limit: count, seconds: leaseSeconds };
    const leased = transfersIn(await this.#post('/requests/lease', wish, random.fork('lease')));
    for (const { lease } of leased) {
      if (this.#answered.has(lease)) this.flaws.push(`the lease ${lease} was given twice`);
      this.#answered.set(lease, '');
    }
    if (leased.length === 0) return;
    await this.#sleep(milliseconds);
    const requests: Outcome[] = [];
    for (const transfer of leased) {
      const { scope, name, lease } = transfer;
      const isFailure = state === 'DONE' && !(await this.#copy(rse, transfer));
      // A mover tells the checksum of what it has written.
      const adler32 = transfer.adler32 ?? '0cc737eb';
      requests.push({ scope, name, lease, adler32, state: isFailure ? 'FAILED' : state });
    }
    for (let attempt = 1; attempt <= reports; attempt += 1) {
      const reply = await this.#post('/requests/report', { rse, requests }, random.fork(`report ${attempt}`));
      if (reply?.status !== 200) continue;
      this.#check(leased, JSON.parse(reply.text) as Outcome[]);
      // A repeat must have no further effect.
      if (random.chance(0.7)) return;
    }
  }

  /** Copies a file as a mover does that compares checksums; false: no source has it. */
  async #copy(rse: string, { scope, name, adler32, sources }: LeasedTransfer): Promise<boolean> {
    const path = pathOf({ scope, name });
    const contents = sources.map((source) => this.#storage.read({ rse: source.rse, path }));
    const found = contents.find(
      (content) => content !== undefined && (adler32 === null || adler32 === adler32Of(content.bytes)),
    );
    if (found === undefined) return false;
    await this.#storage.replace({ rse, path }, { ...found }, 'a mover');
    return true;
  }

  #check(leased: readonly Transfer[], outcomes: readonly Outcome[]): void {
    if (outcomes.length !== leased.length) this.flaws.push(`${leased.length} reports have ${outcomes.length} outcomes`);
    for (const { name, lease, state } of outcomes) {
      // Others may have ended it meanwhile, and then its state is told. But what was copied is not asked for by the same lease.
      if (this.#answered.get(lease) === 'DONE' && isOpen(state)) {
        this.flaws.push(`${name} was DONE, and a repeat is answered ${state}`);
      }
      if (state === 'DONE') this.#answered.set(lease, state);
    }
  }
}

const isOpen = (state: string) => ['QUEUED', 'SUBMITTING', 'SUBMITTED', 'WAITING'].includes(state);

/** The transfers of an answer to a lease. */
function transfersIn(reply: Reply | undefined): readonly LeasedTransfer[] {
  return reply?.status === 200 ? (JSON.parse(reply.text) as LeasedTransfer[]) : [];
}
