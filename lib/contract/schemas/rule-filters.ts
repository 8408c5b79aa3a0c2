import * as z from 'zod/mini';

import { readBoolean } from '../../python/boolean.ts';
import { givenDate, mapped } from './common.ts';
import { idText } from './rule-requests.ts';
import { listNames, RuleState } from './states.ts';

/** A member of an enumeration, by its name or by Rucio's letter. */
function namedOrLetter<const Word extends string>(...members: readonly (readonly [letter: Word, name: Word])[]) {
  const known = new Map(members.flatMap(([letter, name]) => [[letter, name] as const, [name, name] as const]));
  const words = [...known.keys()];
  const error = ({ input }: { input?: unknown }) => `'${String(input)}' is none of ${words.join(', ')}`;
  return z.optional(mapped(z.enum(words, { error }), (word) => known.get(word)));
}

const text = z.optional(z.string());
const pattern = z.optional(z.string()).check(z.meta({ description: '`*` stands for any text' }));
const number = z.optional(
  mapped(
    z.string().check(z.regex(/^-?\d{1,15}$/, { error: ({ input }) => `'${String(input)}' is no number` })),
    Number,
  ),
);
const flag = z.optional(
  mapped(
    z.string().check(
      z.refine((word) => readBoolean(word) !== undefined, {
        error: ({ input }) => `'${String(input)}' is no boolean`,
      }),
    ),
    (word) => readBoolean(word) === true,
  ),
);
const time = z.optional(givenDate).check(z.meta({ description: 'Date such as `Sat, 21 Nov 2026 12:21:38 UTC`' }));

const state = namedOrLetter(...listNames(RuleState).map((name) => [RuleState[name], name] as const));

/** The filters of a list of rules; a rule must pass all of them (spec/replication.md 2.1). */
export const ruleFilters = z.strictObject({
  account: pattern,
  scope: pattern,
  name: text,
  created_before: time,
  created_after: time,
  updated_before: time,
  updated_after: time,
  state,
  did_type: namedOrLetter(['F', 'FILE'], ['D', 'DATASET'], ['C', 'CONTAINER']),
  grouping: namedOrLetter(['A', 'ALL'], ['D', 'DATASET'], ['N', 'NONE']),
  notification: namedOrLetter(['Y', 'YES'], ['N', 'NO'], ['C', 'CLOSE'], ['P', 'PROGRESS']),
  id: z.optional(idText),
  subscription_id: z.optional(idText),
  child_rule_id: z.optional(idText),
  rse_expression: text,
  weight: text,
  source_replica_expression: text,
  activity: text,
  comments: text,
  error: text,
  meta: text,
  copies: number,
  priority: number,
  locks_ok_cnt: number,
  locks_replicating_cnt: number,
  locks_stuck_cnt: number,
  locked: flag,
  purge_replicas: flag,
  ignore_availability: flag,
  ignore_account_limit: flag,
  split_container: flag,
  created_at: time,
  updated_at: time,
  expires_at: time,
  stuck_at: time,
  eol_at: time,
  deleted_at: time,
});
export type RuleFilters = z.output<typeof ruleFilters>;
