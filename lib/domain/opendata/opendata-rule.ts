import type { DidKey } from '../../contract/schemas/did.ts';
import { fail, RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import type { Did } from '../../store/entities/did.ts';
import { findRuleId } from '../../store/entities/rule.ts';
import type { Write } from '../../store/items/plan.ts';
import { readOption } from '../config/read-option.ts';
import { checkTerms, withTerms } from '../rules/engine/check-terms.ts';
import { planNewRule } from '../rules/engine/plan-new-rule.ts';
import { buildRule, duplicateRule, type RuleProperties } from '../rules/new-rule.ts';

/** The rule of a DID that is public: its id, and the writes that create it unless it exists. */
interface OpendataRule {
  readonly id: string;
  readonly isNew: boolean;
  readonly writes: readonly Write[];
}

/** The id of the rule that the options of the section `opendata` give to public DIDs; undefined if a DID has none. */
export async function findOpendataRule(table: Table, did: DidKey): Promise<string | undefined> {
  const terms = await readTerms(table);
  return terms === undefined ? undefined : findRuleId(table, did, identityOf(terms));
}

/**
 * Plans the rule of a DID that becomes public; a task places it (spec/access.md 10.4).
 *
 * @returns Undefined without the option `rule_enable`.
 * @throws ConfigurationError (400) if no option names the RSEs; what {@link checkTerms} throws; DuplicateRule (409).
 */
export async function planOpendataRule(table: Table, did: Did, now: number): Promise<OpendataRule | undefined> {
  if (!(await readOption(table, 'opendata', 'rule_enable'))) return undefined;
  const terms = await readTerms(table);
  if (terms === undefined) fail('ConfigurationError', "No option 'rse_expression' in section: 'opendata'");
  const found = await findRuleId(table, did, identityOf(terms));
  if (found !== undefined) return { id: found, isNew: false, writes: [] };
  const draft = buildRule(did, terms, now);
  const rule = withTerms(draft, await checkTerms(table, { ...draft, asksApproval: false }));
  return { id: rule.id, isNew: true, writes: planNewRule(rule, duplicate, now) };
}

/** The rule of the options; undefined if none names its RSEs. */
async function readTerms(table: Table): Promise<RuleProperties | undefined> {
  const expression =
    (await readOption(table, 'opendata', 'rule_rse_expression')) ??
    (await readOption(table, 'opendata', 'rse_expression'));
  if (expression === undefined) return undefined;
  return {
    rse_expression: expression,
    account: await readOption(table, 'opendata', 'rule_account'),
    copies: await readOption(table, 'opendata', 'rule_copies'),
    activity: await readOption(table, 'opendata', 'rule_activity'),
    grouping: 'DATASET',
  };
}

const identityOf = ({ account, rse_expression, copies }: RuleProperties) => ({
  account,
  rseExpression: rse_expression,
  copies,
});

function duplicate(): RucioError {
  return new RucioError('DuplicateRule', duplicateRule);
}
