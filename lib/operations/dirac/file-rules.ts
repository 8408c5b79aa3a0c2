import type { DidDraft } from '../../domain/dids/did-draft.ts';
import { checkTerms, type VerifiedTerms, withTerms } from '../../domain/rules/engine/check-terms.ts';
import { planNewRule } from '../../domain/rules/engine/plan-new-rule.ts';
import { QuotaReader } from '../../domain/rules/engine/rule-rses.ts';
import { buildRule } from '../../domain/rules/new-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import type { Table } from '../../store/batches/table.ts';
import type { NewFileDid } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { NewRule } from '../../store/entities/rule.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';

/**
 * The rules of new files, each on the RSE of its replica. Such a rule needs no placement: the replica is there, so that
 * its lock is written with it. The quota of the account is read once for each RSE, and each file uses up a part of it.
 */
export class FileRules {
  readonly #context: Context;
  readonly #table: Table;
  readonly #lifetime: number | undefined;
  readonly #terms = new Map<string, VerifiedTerms>();
  /** RSEs share limits on expressions. */
  readonly #quotas = new QuotaReader();

  /** @param lifetime In seconds; undefined: the rules do not end. */
  constructor(context: Context, table: Table, lifetime: number | undefined) {
    this.#context = context;
    this.#table = table.latest();
    this.#lifetime = lifetime;
  }

  /**
   * Adds the rule of a file that the draft creates with a replica on an RSE.
   *
   * @throws RSEWriteBlocked, StagingAreaRuleRequiresLifetime, RSEOverQuota, InsufficientAccountLimit (409).
   */
  async add(draft: DidDraft, file: NewFileDid, rse: Rse): Promise<void> {
    const { now } = this.#context;
    const rule = this.#build(file, rse);
    const checked = await this.#check(rule, rse);
    const { selector } = checked;
    const bytes = file.bytes ?? 0;
    selector.select({ size: bytes, held: new Map([[rse.id, bytes]]), blocked: new Set() }, { inOrder: true });
    draft.lockReplica(file, rse.id, rule);
    const placed: NewRule = { ...withTerms(rule, checked), status: 'ACTIVE', ok: 1 };
    const taken = () => new LostRace(`${formatDid(file)} was registered concurrently`);
    for (const write of planNewRule(placed, taken, now)) draft.add(write);
  }

  /** The writes by which the plan of all rules so far takes turns at limits. */
  turns(): Write[] {
    return [...this.#terms.values()].flatMap(({ selector }) => selector.turns());
  }

  #build(file: NewFileDid, rse: Rse): NewRule {
    const { issuer, now } = this.#context;
    const lifetime = this.#lifetime;
    const wish = {
      account: issuer.account,
      copies: 1,
      rse_expression: rse.rse,
      activity: 'User Subscriptions',
      lifetime,
    };
    return buildRule(file, wish, now);
  }

  async #check(rule: NewRule, rse: Rse): Promise<VerifiedTerms> {
    const terms = this.#terms.get(rse.id) ?? (await this.#checkAnew(rule));
    this.#terms.set(rse.id, terms);
    return terms;
  }

  #checkAnew(rule: NewRule): Promise<VerifiedTerms> {
    return checkTerms(this.#table, { ...rule, asksApproval: false, quotas: this.#quotas });
  }
}
