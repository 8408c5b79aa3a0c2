/** `node judge.ts <questions> <answers>`, with the policy in POLICY: what Dapple says. Started by main.ts for each policy. */
import { readFileSync, writeFileSync } from 'node:fs';

import type { ZodMiniType } from 'zod/mini';

import { accountAttribute, accountName, rseName, scopeName } from '../../../lib/contract/schemas/names.ts';
import { describeTemplatesFlaw } from '../../../lib/contract/schemas/subscription-filter.ts';
import { findDidNameProblem } from '../../../lib/domain/values/did-names.ts';
import type { PathedFile, PathRule } from '../../../lib/policy/policy.ts';
import { compilePath } from '../../../lib/policy/template.ts';
import type { Answers, Questions } from './questions.ts';

import policy from '#policy';

const [source = '', target = ''] = process.argv.slice(2);
const asked = JSON.parse(readFileSync(source, 'utf8')) as Questions;

const schemas: Readonly<Record<string, ZodMiniType>> = {
  scope: scopeName,
  account: accountName,
  accountAttribute,
  rse: rseName,
};

function refusalOf(kind: string, text: string): string | null {
  const message =
    kind === 'activity'
      ? describeTemplatesFlaw([{ activity: text }])?.replace('Problem validating activity: ', '')
      : schemas[kind]?.safeParse(text).error?.issues[0]?.message;
  return message ?? null;
}

function attempt(find: () => string | undefined): string | null {
  try {
    return find() ?? null;
  } catch {
    return null;
  }
}

function pathsOf<F extends PathedFile, Q>(
  rules: Readonly<Record<string, PathRule<F>>>,
  questions: Readonly<Record<string, readonly Q[]>>,
  toFile: (question: Q) => F,
) {
  const answers = Object.entries(questions).map(([name, list]) => {
    const compute = compilePath(rules[name] as PathRule<F>);
    return [name, list.map((question) => attempt(() => compute(toFile(question))))] as const;
  });
  return Object.fromEntries(answers);
}

const answers: Answers = {
  names: Object.fromEntries(
    Object.entries(asked.names).map(([kind, texts]) => [kind, texts.map((text) => refusalOf(kind, text))]),
  ),
  dids: asked.dids.map(
    ([scope, name, type]) => findDidNameProblem({ scope, name }, type)?.replace('Problem validating did: ', '') ?? null,
  ),
  paths: pathsOf(policy.paths, asked.paths, ([scope, name]) => ({ scope, name })),
  copyPaths: pathsOf(policy.copyPaths, asked.copyPaths, ([scope, name, dataset]) => ({ scope, name, dataset })),
  scopes: Object.fromEntries(
    Object.entries(asked.scopes).map(([name, lfns]) => [
      name,
      lfns.map((lfn) => attempt(() => policy.scopeOfName[name]?.(lfn, (scope) => asked.known.includes(scope)))),
    ]),
  ),
};
writeFileSync(target, JSON.stringify(answers));
