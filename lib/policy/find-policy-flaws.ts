import { runInNewContext } from 'node:vm';

import { findFlawsOfRights } from './find-rights-flaws.ts';
import { activityPattern, type KindOfName, listLimit, nameLimits } from './limits.ts';
import type { NameRule, Policy } from './policy.ts';
import { findTemplateFlaw } from './template.ts';

/** Flaws of a policy. */
export interface PolicyFlaw {
  /** The member, such as `lists.created`. */
  readonly member: string;
  readonly reason: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All that is wrong with a policy; empty: it can be used. */
export function findPolicyFlaws(policy: unknown): PolicyFlaw[] {
  if (!isObject(policy)) return [{ member: 'default', reason: 'the file exports no policy by default' }];
  const given = policy as Partial<Record<keyof Policy, unknown>>;
  return [
    ...(['name', 'about', 'source'] as const)
      .filter((member) => !isText(given[member]) || given[member] === '')
      .map((member) => ({ member, reason: 'it is no text' })),
    ...unknownMembers(given),
    ...(Object.keys(nameLimits) as KindOfName[]).flatMap((kind) => flawsOfRule(kind, given[kind], kind)),
    ...members(given.didOfType, 'didOfType', (type, rule) =>
      ['FILE', 'DATASET', 'CONTAINER'].includes(type)
        ? flawsOfRule(`didOfType.${type}`, rule, 'did')
        : [{ member: `didOfType.${type}`, reason: 'it is none of FILE, DATASET, CONTAINER' }],
    ),
    ...flawsOfActivities(given.activities),
    ...findFlawsOfRights(given.rights),
    ...(['created', 'named'] as const).flatMap((list) => flawsOfList(list, given.lists)),
    ...flawsOfChoice(given.paths, 'paths', given.defaultPath, 'defaultPath'),
    ...flawsOfChoice(given.copyPaths, 'copyPaths', given.defaultCopyPath, 'defaultCopyPath'),
    ...flawsOfChoice(given.scopeOfName, 'scopeOfName', given.defaultScopeOfName, 'defaultScopeOfName', true),
    ...(given.refuse === undefined || typeof given.refuse === 'function'
      ? []
      : [{ member: 'refuse', reason: 'it is no function' }]),
  ];
}

const known: Readonly<Record<keyof Policy, true>> = {
  name: true,
  about: true,
  source: true,
  scope: true,
  did: true,
  didOfType: true,
  refuse: true,
  account: true,
  accountAttribute: true,
  rse: true,
  activities: true,
  lists: true,
  paths: true,
  defaultPath: true,
  copyPaths: true,
  defaultCopyPath: true,
  scopeOfName: true,
  defaultScopeOfName: true,
  rights: true,
  leftOut: true,
};

function unknownMembers(given: object): PolicyFlaw[] {
  return Object.keys(given)
    .filter((member) => !Object.hasOwn(known, member))
    .map((member) => ({ member, reason: 'there is no such member' }));
}

function members(given: unknown, member: string, judge: (key: string, value: unknown) => PolicyFlaw[]): PolicyFlaw[] {
  return isObject(given)
    ? Object.entries(given).flatMap(([key, value]) => judge(key, value))
    : [{ member, reason: 'it is no object' }];
}

function flawsOfRule(member: string, rule: unknown, kind: KindOfName): PolicyFlaw[] {
  if (!isObject(rule) || !isText(rule['pattern'])) return [{ member, reason: 'it has no pattern' }];
  const { pattern, linear = pattern, longest } = rule as Partial<NameRule>;
  const { longest: limit } = nameLimits[kind];
  const flaws = [findPatternFlaw(linear ?? '')];
  if (longest !== undefined && !(Number.isInteger(longest) && longest >= 1 && longest <= limit))
    flaws.push(`longest is no whole number from 1 to ${limit}`);
  return flaws.filter((reason) => reason !== undefined).map((reason) => ({ member, reason }));
}

/** The milliseconds that a pattern may take for hostile names on a busy machine; a linear one takes less than one. */
const patternTimeMs = 2_000;

/** Names for which patterns with nested repetitions take for ever. */
const hostile = ['a', 'A', '0', 'A-', 'a_', '/a', 'a.'].map((part) => `${part.repeat(400 / part.length)}!`);

function findPatternFlaw(pattern: string): string | undefined {
  try {
    void new RegExp(pattern);
  } catch (error) {
    return `the pattern is no regular expression: ${(error as Error).message}`;
  }
  try {
    runInNewContext(
      'names.map((name) => new RegExp(pattern).test(name))',
      { names: hostile, pattern },
      { timeout: patternTimeMs },
    );
    return undefined;
  } catch {
    return `the pattern '${pattern}' takes too long for some names; give one without nested repetitions as 'linear'`;
  }
}

function flawsOfActivities(given: unknown): PolicyFlaw[] {
  const member = 'activities';
  if (!Array.isArray(given) || given.length === 0) return [{ member, reason: 'there is none' }];
  const bad = given.find((activity) => !isText(activity) || !activityPattern.test(activity));
  if (bad !== undefined) return [{ member, reason: `'${String(bad)}' does not match '${activityPattern.source}'` }];
  return new Set(given).size === given.length ? [] : [{ member, reason: 'one is there twice' }];
}

function flawsOfList(list: string, lists: unknown): PolicyFlaw[] {
  const count = isObject(lists) ? lists[list] : undefined;
  return Number.isInteger(count) && Number(count) >= 1 && Number(count) <= listLimit
    ? []
    : [{ member: `lists.${list}`, reason: `it is no whole number from 1 to ${listLimit}` }];
}

function flawsOfChoice(
  given: unknown,
  member: string,
  preset: unknown,
  presetMember: string,
  functionsAlone = false,
): PolicyFlaw[] {
  const flaws = members(given, member, (key, rule) => {
    const reason = /^[\w.-]+$/.test(key) ? ruleFlaw(rule, functionsAlone) : `'${key}' does not match '^[\\w.-]+$'`;
    return reason === undefined ? [] : [{ member: `${member}.${key}`, reason }];
  });
  const isThere = isText(preset) && isObject(given) && Object.hasOwn(given, preset);
  return isThere ? flaws : [...flaws, { member: presetMember, reason: `it is none of ${member}` }];
}

function ruleFlaw(rule: unknown, functionsAlone: boolean): string | undefined {
  if (typeof rule === 'function') return undefined;
  if (functionsAlone) return 'it is no function';
  return isText(rule) ? findTemplateFlaw(rule) : 'it is neither a template nor a function';
}
