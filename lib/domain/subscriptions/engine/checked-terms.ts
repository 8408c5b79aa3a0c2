import type { Table } from '../../../store/batches/table.ts';
import type { NewRule } from '../../../store/entities/rule.ts';
import { checkTerms, type VerifiedTerms } from '../../rules/engine/check-terms.ts';

/** The checked terms of rules, shared by rules with the same terms while one batch is processed (some seconds). */
export class CheckedTerms {
  readonly #checked = new Map<string, Promise<VerifiedTerms>>();

  /** Returns and throws the same as {@link checkTerms}. */
  check(table: Table, rule: NewRule): Promise<VerifiedTerms> {
    const { account, copies, rseExpression, weight, sourceReplicaExpression, ignoreAvailability, locked } = rule;
    const key = JSON.stringify([
      [account, copies, rseExpression, weight, sourceReplicaExpression],
      [ignoreAvailability, locked, rule.expiresAt === undefined],
    ]);
    const known = this.#checked.get(key);
    if (known !== undefined) return known;
    const checked = checkTerms(table, { ...rule, asksApproval: false, isStanding: true });
    this.#checked.set(key, checked);
    checked.catch(() => this.#checked.delete(key));
    return checked;
  }
}
