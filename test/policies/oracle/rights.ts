/**
 * `node rights.ts <python> <folder> [<sources>]`, with the policy in POLICY: compares who may do what with the permission functions that
 * the policy was read from. Started by main.ts for each policy.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { allows } from '../../../lib/domain/permission/rights.ts';
import { type ActionName, actionNames, type Right } from '../../../lib/policy/rights.ts';
import { type Case, decisionOn } from './rights-decisions.ts';

import policy from '#policy';

/** Actions that Rucio does not have, or asks nobody about. */
const ownActions = new Set<ActionName>([
  'lease_requests',
  'report_requests',
  'set_password',
  'dump_replicas',
  'import',
  'add_key',
  'add_value',
  'get_request_metrics',
  'send_heartbeats',
]);
const originalNames: Readonly<Partial<Record<ActionName, string>>> = {
  add_opendata: 'add_opendata_did',
  update_opendata: 'update_opendata_did',
  remove_opendata: 'delete_opendata_did',
};

function attributesOf(right: Right): string[] {
  if (typeof right === 'string') return [];
  if ('any' in right) return right.any.flatMap(attributesOf);
  if ('all' in right) return right.all.flatMap(attributesOf);
  return 'has' in right ? [right.has] : [];
}

const granting = [...new Set(Object.values(policy.rights).flatMap((right) => attributesOf(right)))].filter(
  (attribute) => attribute !== 'admin',
);
const askers: readonly Pick<Case, 'account' | 'attributes'>[] = [
  { account: 'root', attributes: {} },
  ...[
    {},
    { admin: 'true' },
    ...granting.map((attribute) => ({ [attribute]: 'true' })),
    { rse_admin: 'true', account_admin: 'true' },
    { 'country-ch': 'admin' },
    { 'country-ch': 'user' },
    { 'group-higgs': 'admin' },
    { 'cloud-ch': 'admin' },
  ].map((attributes) => ({ account: 'alice', attributes })),
];
const rses: readonly Pick<Case, 'rse' | 'rseAttributes'>[] = [
  { rse: 'SITE-DISK', rseAttributes: {} },
  { rse: 'SITE_SCRATCHDISK', rseAttributes: { type: 'SCRATCHDISK' } },
  { rse: 'T2_CH_CERN_Temp', rseAttributes: { country: 'ch', type: 'LOCALGROUPDISK' } },
  { rse: 'Site-LOCAL-SE', rseAttributes: { country: 'de', physgroup: 'higgs', type: 'GROUPDISK' } },
  { rse: 'Site-TMP-SE', rseAttributes: { country: 'ch' } },
  { rse: 'PIC-DCACHE', rseAttributes: { requires_approval: 'True' } },
  { rse: 'T1_DE_KIT_Tape', rseAttributes: {} },
  { rse: 'T2_DE_DESY', rseAttributes: { cms_type: 'temp' } },
  ...['rule_approvers', 'rule_deleters', 'quota_approvers', 'site_admins', 'site_capacity_manager'].flatMap(
    (attribute) => ['bob,alice', 'bob'].map((names) => ({ rse: 'SITE-DISK', rseAttributes: { [attribute]: names } })),
  ),
];
const wishes: readonly Pick<Case, 'options' | 'locked' | 'asksApproval'>[] = [
  { options: [], locked: false, asksApproval: false },
  { options: ['lifetime'], locked: false, asksApproval: true },
  { options: ['lifetime'], locked: false, asksApproval: false },
  { options: ['account'], locked: true, asksApproval: false },
  { options: ['priority'], locked: false, asksApproval: false },
];

function makeCases(): Case[] {
  const cases: Case[] = [];
  for (const action of actionNames.filter((name) => !ownActions.has(name)))
    for (const asker of askers)
      for (const rse of rses)
        for (const wish of wishes)
          for (const scope of ['alice.data', 'mock', 'bob.data'])
            for (const owner of ['alice', 'bob', 'root'])
              for (const ownerType of action === 'add_rule' ? (['USER', 'SERVICE'] as const) : (['USER'] as const))
                cases.push({ action, ...asker, ...rse, ...wish, scope, owner, ownerType });
  return cases;
}

function judge({ action, account, attributes, scope, owner, rse, rseAttributes, options, locked, asksApproval }: Case) {
  const subject = {
    account,
    isRoot: account === 'root',
    has: async (attribute: string) => attributes[attribute] === 'true',
    rolesOf: async (prefix: string, values: readonly string[]) =>
      Object.entries(attributes).flatMap(([key, value]) =>
        key.startsWith(prefix) && values.includes(value) ? [key.slice(prefix.length)] : [],
      ),
    owns: async (name: string) => name === `${account}.data`,
  };
  const target = {
    scope,
    scopes: [scope],
    account: owner,
    accounts: [owner],
    ruleAccounts: [],
    locksRules: false,
    locked,
    isPrivileged: options.includes('account'),
    isOwn: false,
    isOrdinary: true,
    rse,
    rseName: rse,
    options,
    asksApproval,
    files: async () => [{ scope, account: action === 'add_replicas' ? undefined : 'bob' }],
    hasLimit: async () => false,
    rses: async () => [{ rse, attributes: rseAttributes }],
  };
  return allows(action, subject, target as never);
}

const [python = '', folder = '', ...sources] = process.argv.slice(2);
const cases = makeCases();
const asked = join(folder, 'cases.json');
const answers = join(folder, 'rights.json');
const renamed = cases.map((one) => ({ ...one, action: originalNames[one.action] ?? one.action }));
writeFileSync(asked, JSON.stringify({ policy: policy.name, cases: renamed }));
execFileSync(python, [join(import.meta.dirname, 'rights.py'), asked, answers, ...sources]);
const original = JSON.parse(readFileSync(answers, 'utf8')) as (boolean | null)[] | { readonly missing: string };

if (Array.isArray(original)) {
  const decided = new Map<string, number>();
  const failed = new Map<string, number>();
  const differences: string[] = [];
  for (const [index, one] of cases.entries()) {
    const own = await judge(one);
    const theirs = original[index];
    if (theirs === null) {
      failed.set(one.action, (failed.get(one.action) ?? 0) + 1);
      continue;
    }
    if (own === theirs) continue;
    const reason = decisionOn(policy.name, one, own);
    if (reason === undefined) differences.push(`${own ? 'allowed' : 'refused'}: ${JSON.stringify(one)}`);
    else decided.set(reason, (decided.get(reason) ?? 0) + 1);
  }
  const reasons = [...decided].map(([reason, count]) => `${reason} ${count}`).join('; ') || 'none';
  console.log(`${policy.name}: ${cases.length} rights compared; ${differences.length} differ; decided: ${reasons}`);
  if (failed.size > 0)
    console.log(`  the original fails: ${[...failed].map(([action, count]) => `${action} ${count}`).join(', ')}`);
  const perAction = Map.groupBy(differences, (text) => /"action":"(\w+)"/.exec(text)?.[1] ?? '');
  for (const [action, texts] of perAction) console.log(`  ${action}, ${texts.length}: ${texts[0]}`);
  process.exitCode = differences.length === 0 ? 0 : 1;
} else console.log(`${policy.name}: rights SKIPPED, ${original.missing} is not there`);
