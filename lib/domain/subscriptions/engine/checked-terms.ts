import type { Table } from '../../../store/batches/table.ts';
import type { NewRule } from '../../../store/entities/rule.ts';
import { checkTerms, type VerifiedTerms } from '../../rules/engine/check-terms.ts';

/** What was found out about rules of the same kind, for as long as a batch of new data takes: some seconds. */
export class CheckedTerms {
  readonly #checked = new Map<string, Promise<VerifiedTerms>>();

  /** What {@link checkTerms} says of a rule, and throws. */
  check(table: Table, rule: NewRule): Promise<VerifiedTerms> {
    const { account, copies, rseExpression, weight, sourceReplicaExpression, ignoreAvailability, locked } = rule;
    const key = JSON.stringify([
      [account, copies, rseExpression, weight, sourceReplicaExpression],
      [ignoreAvailability, locked, rule.expiresAt === undefined],
    ]);
    const known = this.#checked.get(key);
    if (known !== undefined) return known;
    const checked = checkTerms(table, { ...rule, asksApproval: false });
    this.#checked.set(key, checked);
    checked.catch(() => this.#checked.delete(key));
    return checked;
  }
}
