import { join } from 'node:path';

import { describeRight } from '../../lib/policy/describe-right.ts';
import type { NameRule, PathedFile, PathRule, Policy } from '../../lib/policy/policy.ts';
import { policyNames, readPolicy } from '../../lib/policy/read-policy.ts';
import { actionNames, usualRight } from '../../lib/policy/rights.ts';

/** The folder of the pages. */
export const policiesFolder = join(import.meta.dirname, '../../docs/policies');

/** The pages of all policies that come with Dapple, and one that lists them; by the names of their files. */
export async function renderPolicyPages(): Promise<ReadonlyMap<string, string>> {
  const policies = await Promise.all(policyNames.map((name) => readPolicy(name)));
  const generic = await readPolicy('generic');
  const pages = policies.map((policy) => [`${policy.name}.md`, renderPolicy(policy, generic)] as const);
  return new Map([['README.md', renderList(policies)], ...pages]);
}

function renderList(policies: readonly Policy[]): string {
  const lines = policies.map(
    ({ name, about, source }) => `- [\`${name}\`](${name}.md): ${about}. Read from ${source}.`,
  );
  return `# Policies

What experiments customise, as data. \`npm start -- --policy <name>\` and \`npm run deploy -- -c policy=<name>\` choose one;
[how to write one](../how-to/your-policy.md). Generated from \`policies/\` by \`npm run docs -- policies\`.

${lines.join('\n')}
`;
}

function renderPolicy(policy: Policy, generic: Policy): string {
  const { name, about, source, didOfType, refuse, lists, activities, leftOut } = policy;
  const rules: (readonly [string, NameRule])[] = [
    ['scopes', policy.scope],
    ['DIDs', policy.did],
    ...Object.entries(didOfType).map(([type, rule]) => [`DIDs of the type ${type}`, rule] as const),
    ['accounts', policy.account],
    ['attributes of accounts', policy.accountAttribute],
    ['RSEs', policy.rse],
  ];
  const added = activities.filter((activity) => !generic.activities.includes(activity));
  const removed = generic.activities.filter((activity) => !activities.includes(activity));
  return `# The policy \`${name}\`: ${about}

Read from ${source}. Generated from \`policies/${name}.ts\` by \`npm run docs -- policies\`.

## Names

${rules.map(([what, rule]) => `- ${what}: ${describeRule(rule)}`).join('\n')}
${refuse === undefined ? '' : '- more is checked by a function, `refuse`, with the messages of the original\n'}
## Activities

${listOf(activities)}
${name === 'generic' ? '' : describeDifference(added, removed)}
## Lists

At most ${lists.created.toLocaleString('en')} elements that are created, ${lists.named.toLocaleString('en')} that are named.

## Paths

${describePaths('`lfn2pfn_algorithm`', policy.paths, policy.defaultPath)}
${describePaths('`naming_convention`', policy.copyPaths as Policy['paths'], policy.defaultCopyPath)}
- scope of a logical file name (\`common/extract_scope\`): ${listOf(Object.keys(policy.scopeOfName))}; by default \`${policy.defaultScopeOfName}\`

## Left out

${leftOut.length === 0 ? 'Nothing of its names and paths.' : leftOut.map(({ what, why }) => `- ${what}: ${why}`).join('\n')}

${describeRights(policy, generic)}
`;
}

/** The rights of the generic policy are a page of their own; of others those that differ from it are told. */
function describeRights({ name, rights }: Policy, generic: Policy): string {
  const own = actionNames
    .filter((action) => JSON.stringify(rights[action]) !== JSON.stringify(generic.rights[action]))
    .map((action) => `- \`${action}\`: ${describeRight(rights[action] ?? usualRight)}`);
  if (own.length === 0)
    return `## Rights\n\n${name === 'generic' ? 'These' : 'Those of Rucio'}: [permissions](../permissions.md).`;
  return `## Rights

Beside [those of Rucio](../permissions.md):

${own.join('\n')}

What no policy changes is in [security](../security.md#what-no-policy-can-switch-off).`;
}

const code = (text: string) => `\`${text}\``;

const listOf = (texts: readonly string[]) => texts.map(code).join(', ');

function describeRule({ pattern, longest }: NameRule): string {
  return longest === undefined ? code(pattern) : `${code(pattern)}, at most ${longest} characters`;
}

function describeDifference(added: readonly string[], removed: readonly string[]): string {
  const parts = [
    ...(added.length > 0 ? [`beside those of Rucio: ${listOf(added)}`] : []),
    ...(removed.length > 0 ? [`without ${listOf(removed)}`] : []),
  ];
  return parts.length === 0 ? '\nThese are those of Rucio.\n' : `\nThese are ${parts.join('; ')}.\n`;
}

function describePaths(attribute: string, paths: Policy['paths'], preset: string): string {
  return Object.entries(paths)
    .map(([name, rule]) => `- ${attribute} \`${name}\`${name === preset ? ', the default' : ''}: ${describePath(rule)}`)
    .join('\n');
}

const describePath = (rule: PathRule<PathedFile>) => (typeof rule === 'string' ? code(rule) : 'a function');
