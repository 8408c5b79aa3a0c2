import type { ClientRequest } from './client-request.ts';
import type { Row } from './rows.ts';

/** A change of a rule. A rule that is moved or reduced is replaced by another one. */
export type RuleChange =
  | { readonly to: 'move'; readonly rse: string }
  | { readonly to: 'reduce' }
  | { readonly to: 'remove'; readonly purges: boolean }
  | { readonly to: 'change'; readonly options: Readonly<Record<string, unknown>> };

/** Whether a change may succeed on a rule, which a list shows. */
export function fitsRule({ copies, state }: Row, change: RuleChange): boolean {
  if (change.to === 'reduce') return Number(copies) > 1;
  return change.to !== 'change' || change.options['approve'] === undefined || state === 'WAITING_APPROVAL';
}

/** The request that changes a rule. */
export function requestOfRuleChange(id: string, change: RuleChange): ClientRequest {
  const path = `/rules/${id}`;
  switch (change.to) {
    case 'move':
      return { method: 'POST', path: `${path}/move`, body: { rse_expression: change.rse } };
    case 'reduce':
      return { method: 'POST', path: `${path}/reduce`, body: { copies: 1 } };
    case 'remove':
      return { method: 'DELETE', path, body: change.purges ? { purge_replicas: true } : {} };
    case 'change':
      return { method: 'PUT', path, body: { options: change.options } };
  }
}
