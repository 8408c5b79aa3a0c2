import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

import { fail, type ErrorName } from '../errors.ts';

/** Without a locale Zod's messages are only `Invalid input`. */
z.config(en());

/** The parameters by which a custom check asks for another exception than InvalidObject. */
export interface IssueParams {
  readonly exception?: ErrorName;
}

/**
 * Validates untrusted data against a schema of the contract.
 *
 * @param name Rucio's name of the schema, for the message.
 * @throws KeyError (400) for a missing key; TypeError (400) if the whole has the wrong JSON type; for everything else
 *   InvalidObject (400) or the exception that a custom check names (spec/dids.md 1.7, 1.11).
 */
export function validate<S extends z.ZodMiniType>(schema: S, data: unknown, name: string): z.output<S> {
  const result = schema.safeParse(data, { reportInput: true });
  if (result.success) return result.data;
  const issue = findDeepestIssue(result.error.issues);
  const { exception } = ((issue.code === 'custom' && issue.params) || {}) as IssueParams;
  if (exception !== undefined) return fail(exception, issue.message);
  if (issue.code === 'invalid_type' && issue.input === undefined && isTopLevel(issue.path, data)) {
    return fail('KeyError', `'${String(issue.path.at(-1))}' not defined`);
  }
  return fail('InvalidObject', `Problem validating ${schemaName(issue, name)}: ${describe(issue)}`);
}

/** Whether a path leads to a member of the body, or of an element of the body if that is a list. */
function isTopLevel(path: readonly PropertyKey[], data: unknown): boolean {
  return path.length === (Array.isArray(data) ? 2 : 1);
}

/** The most specific issue: of a union, that of the branch which matched deepest. */
function findDeepestIssue(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const first = issues[0] as z.core.$ZodIssue;
  if (first.code !== 'invalid_union' || first.errors.length === 0) return first;
  const branches = first.errors.map((branch) => findDeepestIssue(branch));
  const best = branches.reduce((a, b) => (b.path.length > a.path.length ? b : a));
  return { ...best, path: [...first.path, ...best.path] };
}

/** The members of a body that Rucio validates under their own names. */
const namedMembers = new Set<PropertyKey | undefined>(['dids', 'rse', 'attachments']);

function schemaName(issue: z.core.$ZodIssue, name: string): string {
  return namedMembers.has(issue.path[0]) ? String(issue.path[0]) : name;
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.length > 0 ? ` at ${issue.path.join('.')}` : '';
  if (issue.code === 'too_big' && Array.isArray(issue.input)) {
    return `a list of ${issue.input.length}${where} is longer than ${issue.maximum}; send it in several requests`;
  }
  return `${issue.message}${where}`;
}
