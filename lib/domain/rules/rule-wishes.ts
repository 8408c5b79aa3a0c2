import type { DidKey } from '../../contract/schemas/did.ts';
import { type RuleWish } from './new-rule.ts';

/** Rules that are to be made: one of the same kind for each DID. */
export interface RuleWishes extends Omit<RuleWish, 'account'> {
  readonly dids: readonly DidKey[];
  /** Null: the issuer. */
  readonly account: string | null;
  readonly ask_approval?: boolean | null | undefined;
  readonly asynchronous?: boolean | null | undefined;
  /** In seconds. */
  readonly delay_injection?: number | null | undefined;
}
