import { ApiError, getJson, path, postLines } from '../../api/client.ts';
import type { Did, RequestLine, Rule } from '../../api/types.ts';
import { readDate } from '../../format.ts';

/** What a test copies, where to. */
export interface TestCopy {
  readonly did: Pick<Did, 'scope' | 'name'>;
  readonly rse: string;
  /** The rule that asks for the copy. */
  readonly rule: string;
}

/** How far a test copy is. */
export interface CopyState {
  /** Undefined after the rule was removed. */
  readonly rule: Pick<Rule, 'state' | 'error'> | undefined;
  /** The transfer, while there is one. */
  readonly request: Pick<RequestLine, 'state' | 'retry_count' | 'err_msg' | 'created_at'> | undefined;
  /** The state of the replica; undefined without one. */
  readonly replica: string | undefined;
}

/** A running mover takes a transfer within this time. */
const pickUpMs = 120_000;

/** Reads how far a test copy is. Throws as {@link getJson}. */
export async function readCopy({ did, rse, rule: id }: TestCopy, signal: AbortSignal): Promise<CopyState> {
  const [rule, request, replicas] = await Promise.all([
    orNone(getJson(path('/rules/:rule_id', { rule_id: id }), { signal })),
    orNone(getJson(path('/requests/**:scope_name/:rse', { did, rse }), { signal })),
    postLines('/replicas/list', { body: { dids: [did], all_states: true }, signal }),
  ]);
  return { rule, request, replica: replicas[0]?.states[rse] };
}

async function orNone<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
}

/** What a test has shown so far. */
export type Verdict = 'waits' | 'nobody' | 'taken' | 'failed' | 'good' | 'removed';

/** Judges a copy: a mover reports one only after its content was compared. */
export function judge({ rule, request, replica }: CopyState): Verdict {
  if (rule === undefined) return 'removed';
  if (replica === 'AVAILABLE' && rule.state === 'OK') return 'good';
  if (rule.state === 'STUCK' || (request !== undefined && request.retry_count > 0)) return 'failed';
  if (request?.state === 'SUBMITTING' || request?.state === 'SUBMITTED') return 'taken';
  const since = readDate(request?.created_at)?.getTime() ?? Date.now();
  return Date.now() - since > pickUpMs ? 'nobody' : 'waits';
}
