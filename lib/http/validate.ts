import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

import { fail, type ErrorName } from '../errors.ts';

/** Without a language a violation is only `Invalid input`. */
z.config(en());

/** What a custom check of a schema may say to be told apart from an ordinary violation. */
export interface IssueParams {
  readonly exception?: ErrorName;
}

/**
 * Checks untrusted data against a schema of the contract.
 *
 * @param name Rucio's name of the schema, for the message.
 * @throws KeyError (400) when a key is missing; TypeError (400) when the whole is of the wrong JSON type; InvalidObject
 *   (400), or what a custom check asked for, for everything else (spec/dids.md 1.7, 1.11).
 */
export function validate<S extends z.ZodMiniType>(schema: S, data: unknown, name: string): z.output<S> {
  const result = schema.safeParse(data, { reportInput: true });
  if (result.success) return result.data;
  const issue = deepest(result.error.issues);
  const { exception } = ((issue.code === 'custom' && issue.params) || {}) as IssueParams;
  if (exception !== undefined) return fail(exception, issue.message);
  if (issue.code === 'invalid_type' && issue.input === undefined && isTopLevel(issue.path, data)) {
    return fail('KeyError', `'${String(issue.path.at(-1))}' not defined`);
  }
  return fail('InvalidObject', `Problem validating ${schemaName(issue, name)}: ${describe(issue)}`);
}

/** Whether a path leads to a member of the body, or of an element of the body where that is a list. */
function isTopLevel(path: readonly PropertyKey[], data: unknown): boolean {
  return path.length === (Array.isArray(data) ? 2 : 1);
}

/** Of a union's branches, the issues of the one that came furthest say best what is wrong. */
function deepest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const first = issues[0] as z.core.$ZodIssue;
  if (first.code !== 'invalid_union' || first.errors.length === 0) return first;
  const branches = first.errors.map((branch) => deepest(branch));
  const best = branches.reduce((a, b) => (b.path.length > a.path.length ? b : a));
  return { ...best, path: [...first.path, ...best.path] };
}

/** The members of a body that Rucio validates each under its own name. */
const parts = new Set<PropertyKey | undefined>(['dids', 'rse', 'attachments']);

function schemaName(issue: z.core.$ZodIssue, name: string): string {
  return parts.has(issue.path[0]) ? String(issue.path[0]) : name;
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.length > 0 ? ` at ${issue.path.join('.')}` : '';
  return `${issue.message}${where}`;
}
