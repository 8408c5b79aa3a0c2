import { ReplicaState } from '../../contract/schemas/states.ts';
import type { Table } from '../../store/batches/table.ts';
import type { FileDid } from '../../store/entities/did.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { getRules, type Rule } from '../../store/entities/rule.ts';
import type { Transfer } from '../../store/entities/transfer.ts';
import { findFiles } from '../replicas/find-dids.ts';
import { resolveIfPossible } from '../rse-expression/resolve-expression.ts';
import { formatDid } from '../values/format-did.ts';
import { effectiveState } from '../values/replica-state.ts';
import type { RequestDetails } from './describe-request.ts';

/** Reads the details of requested copies. Each rule and each source expression is read once. */
export class RequestDetailsReader {
  readonly #table: Table;
  readonly #now: number;
  readonly #rules = new Map<string, Rule | undefined>();
  readonly #expressions = new Map<string, Promise<ReadonlySet<Rse>>>();

  /** @param now In milliseconds since 1970. */
  constructor(table: Table, now: number) {
    this.#table = table;
    this.#now = now;
  }

  /** The details of transfers to an RSE, in their order. Costs a read per file, and one per rule not read before. */
  async find(transfers: readonly Transfer[], destination: Rse): Promise<RequestDetails[]> {
    const [files] = await Promise.all([
      findFiles(
        this.#table,
        transfers.map(({ did }) => did),
      ),
      this.readRules(transfers.map(({ ruleId }) => ruleId)),
    ]);
    const asked = transfers.map((transfer) => ({ transfer, file: files.get(formatDid(transfer.did)) }));
    const orphans = asked.filter(({ transfer }) => this.#rules.get(transfer.ruleId) === undefined);
    await this.readRules(orphans.flatMap(({ file }) => othersOn(file, destination)));
    return Promise.all(
      asked.map(async ({ transfer, file }) => {
        const rule = this.#rules.get(transfer.ruleId) ?? this.#other(file, destination);
        const sources = file === undefined ? [] : await this.#sources(file, destination, rule?.sourceReplicaExpression);
        return { transfer, destination, file, rule, sources };
      }),
    );
  }

  /** Reads rules, each once. @returns All rules that were read, by id; undefined: there is none. */
  async readRules(ids: readonly string[]): Promise<ReadonlyMap<string, Rule | undefined>> {
    const unread = new Set(ids.filter((id) => !this.#rules.has(id)));
    if (unread.size === 0) return this.#rules;
    const rules = await getRules(this.#table, unread);
    for (const id of unread) this.#rules.set(id, rules.get(id));
    return this.#rules;
  }

  /** Another rule that needs the copy when the first one is deleted. */
  #other(file: FileDid | undefined, destination: Rse): Rule | undefined {
    const [rule] = othersOn(file, destination).flatMap((id) => this.#rules.get(id) ?? []);
    return rule;
  }

  /** Readable RSEs with the file, restricted to the expression if there is one, in name order. */
  async #sources(file: FileDid, destination: Rse, expression: string | undefined): Promise<Rse[]> {
    const { byId } = await getFleet(this.#table);
    const allowed = expression === undefined ? undefined : await this.#resolve(expression);
    return [...file.replicas]
      .filter(([, replica]) => effectiveState(replica, this.#now) === ReplicaState.AVAILABLE)
      .flatMap(([rseId]) => byId.get(rseId) ?? [])
      .filter(
        (rse) =>
          rse !== destination && rse.deletedAt === undefined && rse.availabilityRead && allowed?.has(rse) !== false,
      )
      .toSorted((a, b) => (a.rse < b.rse ? -1 : 1));
  }

  async #resolve(expression: string): Promise<ReadonlySet<Rse>> {
    const known =
      this.#expressions.get(expression) ?? resolveIfPossible(this.#table, expression).then((rses) => new Set(rses));
    this.#expressions.set(expression, known);
    return known;
  }
}

function othersOn(file: FileDid | undefined, { id }: Rse): string[] {
  return Object.keys(file?.replicas.get(id)?.locks ?? {});
}
