import type { Rule } from '../../api/types.ts';
import { placeUrl } from '../../router.ts';

/** A way to the place where a cause can be removed. */
type Remedy = readonly [label: string, url: string];

/** Why a rule is stuck, and what can be done. */
interface Cause {
  readonly cause: string;
  readonly advice: string;
  readonly remedies: readonly Remedy[];
}

interface KnownCause {
  /** Fits the error of the rule: the message, or the class where another server has written it. */
  readonly error: RegExp;
  readonly cause: string;
  readonly advice: string;
  readonly remedies: (rule: Rule) => readonly Remedy[];
}

const toRses = ({ rse_expression: expression }: Rule): Remedy => [
  'RSEs of the expression',
  placeUrl(['rses'], { expression }),
];
const toQuota = ({ account }: Rule): Remedy => [`Quota of ${account}`, placeUrl(['account', account])];
const toReplicas = ({ scope, name }: Rule): Remedy => [
  'Replicas, file by file',
  placeUrl(['did', scope, name], { tab: 'replicas' }),
];
const toOtherRule = ({ scope, name }: Rule): Remedy => [
  'Rule on other RSEs',
  placeUrl(['new-rule'], { did: `${scope}:${name}` }),
];
const toBad: Remedy = ['Bad replicas', placeUrl(['bad'])];
const toAttempts = ({ rse_expression: dst }: Rule): Remedy => ['Failed attempts to copy', failedAttemptsUrl(dst)];

const causes: readonly KnownCause[] = [
  {
    error: /insufficient quota|InsufficientAccountLimit/i,
    cause: 'The account has no quota, or too little, on the RSEs that the expression names.',
    advice: 'Give the account quota there, or make a rule on other RSEs. It is tried again by itself.',
    remedies: (rule) => [toQuota(rule), toRses(rule), toOtherRule(rule)],
  },
  {
    error: /insufficient space|not enough target RSEs|InsufficientTargetRSEs|RSEOverQuota/i,
    cause: 'There are fewer RSEs with room that may be written to than copies are wanted.',
    advice: 'Make room, make an RSE available for writing, or make a rule on other RSEs.',
    remedies: (rule) => [toRses(rule), toOtherRule(rule)],
  },
  {
    error: /not available for writing|RSEWriteBlocked/i,
    cause: 'An RSE of the rule may not be written to.',
    advice: 'Make it available for writing, or make a rule on other RSEs. Then press “Repair now”.',
    remedies: (rule) => [toRses(rule), toOtherRule(rule)],
  },
  {
    error: /not matching target expression/i,
    cause: 'An RSE with stuck locks does not fit the expression any more.',
    advice: 'Have the rule evaluated anew, or give the RSE back what made it fit.',
    remedies: (rule) => [toRses(rule), toOtherRule(rule)],
  },
  {
    error: /empty set|Problem with parentheses|InvalidRSEExpression|RSENotFound/i,
    cause: 'No RSE fits the expression any more.',
    advice: 'Make a rule with an expression that names RSEs that exist.',
    remedies: (rule) => [toRses(rule), toOtherRule(rule)],
  },
  {
    error: /MissingSourceReplica/,
    cause: 'Some files have no good replica anywhere that a copy could be made from.',
    advice: 'Recover or register a replica of these files, or detach them. The rule goes on by itself.',
    remedies: (rule) => [toReplicas(rule), toBad],
  },
  {
    error: /is being deleted/i,
    cause: 'The replica of a file is being deleted where the rule wants it.',
    advice: 'Wait until it is gone. The rule is tried again by itself.',
    remedies: (rule) => [toReplicas(rule), toRses(rule)],
  },
];

/** The place that lists the failed attempts to copy to some RSEs, of all rules: the interface has no list of one. */
export function failedAttemptsUrl(destinations: string): string {
  return placeUrl(['requests'], { tab: 'history', dst: destinations, state: 'F' });
}

/** The cause of a stuck rule by its error, what to do, and where. Without a cause the copies themselves failed. */
export function findCause(rule: Rule): Partial<Cause> & Omit<Cause, 'cause'> {
  const known = causes.find(({ error }) => error.test(rule.error ?? ''));
  if (known !== undefined) return { ...known, remedies: known.remedies(rule) };
  return {
    advice: 'Remove the cause, then press “Repair now”: the copies are asked for again.',
    remedies: [toAttempts(rule), toReplicas(rule), toRses(rule)],
  };
}
