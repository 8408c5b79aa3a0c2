import type { DidKey } from '../../contract/schemas/did.ts';
import { type RuleProperties } from './new-rule.ts';

/** A request for rules: one for each DID, with the same properties. */
export interface RulesRequest extends Omit<RuleProperties, 'account'> {
  readonly dids: readonly DidKey[];
  /** Null: the issuer. */
  readonly account: string | null;
  readonly ask_approval?: boolean | null | undefined;
  readonly asynchronous?: boolean | null | undefined;
  /** In seconds. */
  readonly delay_injection?: number | null | undefined;
}
