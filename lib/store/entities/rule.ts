import type { DidKey } from '../../contract/schemas/did.ts';
import { keys } from '../keys.ts';
import type { Insert } from '../plan.ts';

/** A replication rule as it is asked for; dates in milliseconds since 1970. */
export interface Rule {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly did: DidKey;
  readonly account: string;
  readonly rseExpression: string;
  readonly copies: number;
  /** `INJECT`: accepted, and waiting for its first evaluation. */
  readonly state: 'INJECT';
  readonly expiresAt?: number;
  /** What else the rule was given, by wire name (spec/dids.md 2.2 step 9). */
  readonly options: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
}

/** The write that makes a rule. */
export function insertRule({ id, did, ...attributes }: Rule): Insert {
  const item = { ...keys.rule(did, id), ...keys.ruleById(id), ...attributes };
  return { kind: 'insert', item, onExists: () => new Error(`the rule id ${id} was given twice`) };
}
