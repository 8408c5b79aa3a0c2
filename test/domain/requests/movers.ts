/** Helpers for tests of leases: a catalogue with files that rules want on another RSE, and movers that take them. */
import type { ReportedRequest } from '../../../lib/contract/schemas/transfer-lease.ts';
import type { LeaseWish } from '../../../lib/domain/requests/lease-planner.ts';
import { type LeasedTransfer, leaseTransfers } from '../../../lib/domain/requests/lease-transfers.ts';
import { reportTransfers } from '../../../lib/domain/requests/report-transfers.ts';
import { getRse, type Rse } from '../../../lib/store/entities/rse.ts';
import { getTransfer, type Transfer } from '../../../lib/store/entities/transfer.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from '../rules/rule-catalogue.ts';

/** A catalogue whose rules want copies on `BBB`. */
export interface MoverCatalogue extends RuleCatalogue {
  /** Registers files on `AAA` that a rule each wants on `BBB`; returns the rules. */
  want(names: readonly string[], more?: object): Promise<string[]>;
  /** Leases as a mover does at a time; the names of the files by default. */
  lease(holder: string, now: number, more?: Partial<LeaseWish>): Promise<LeasedTransfer[]>;
  report(leased: LeasedTransfer, now: number, report: Partial<ReportedRequest>): ReturnType<typeof reportTransfers>;
  transfer(name: string): Promise<Transfer | undefined>;
  rse(name: string): Promise<Rse>;
}

/** Makes the catalogue. */
export async function newMoverCatalogue(): Promise<MoverCatalogue> {
  const catalogue = await newRuleCatalogue();
  const table = () => catalogue.at().store.table.latest();
  const rse = async (name: string) => {
    const found = await getRse(table(), name);
    if (found === undefined) throw new Error(`there is no RSE ${name}`);
    return found;
  };
  return {
    ...catalogue,
    rse,
    async want(names, more = {}) {
      await catalogue.register('AAA', names);
      return Promise.all(names.map((name) => catalogue.rule(name, { rse_expression: 'BBB', ...more })));
    },
    lease: async (holder, now, more = {}) =>
      leaseTransfers(catalogue.at(now), {
        holder,
        destinations: [await rse('BBB')],
        limit: 100,
        seconds: 600,
        ...more,
      }),
    report: async ({ details, lease }, now, report) => {
      const whole = {
        ...details.transfer.did,
        lease: lease.id,
        state: 'DONE' as const,
        adler32: '0cc737eb',
        ...report,
      };
      return reportTransfers(catalogue.at(now), details.destination, [whole]);
    },
    transfer: (name) => getTransfer(table(), data(name), catalogue.rseIds.BBB),
  };
}

/** The names of leased files. */
export const namesOf = (leased: readonly LeasedTransfer[]) =>
  leased.map(({ details }) => details.transfer.did.name).toSorted();

/** The only element of a list. */
export function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined || list.length > 1) throw new Error(`${list.length} elements instead of one`);
  return first;
}
