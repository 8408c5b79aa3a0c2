import { account, as, rse, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');
const PATH = '/requests/transfer_limits';
const refused = use(400, 'InvalidObject', 'access 6.6');
const unresolvable = use(400, 'InvalidRSEExpression', 'access 6.6');
const denied = use(401, 'AccessDenied', 'access 5.1');
const set = (name: string, body: JsonValue, options = {}) => root.put(name, PATH, body, options);

/** Limits of transfers. Rucio keeps and lists them for its throttler. */
export const transferLimits: Scenario = {
  name: 'transfer-limits',
  about: 'limits of transfers by RSE expression',
  steps: [
    ...account('tlb-alice'),
    rse('TLB_A'),
    set('set a limit', { rse_expression: 'TLB_A', max_transfers: 5 }),
    set('set all of it', {
      rse_expression: 'TLB_A',
      activity: 'Express',
      direction: 'S',
      max_transfers: 7,
      volume: 1000,
      deadline: 2,
      strategy: 'grouped_fifo',
      transfers: 3,
      waitings: 4,
    }),
    root.get('list both', PATH, { compare: 'exact' }),
    set('change the first', { rse_expression: 'TLB_A', max_transfers: null, volume: 9, direction: 'D' }),
    root.get('list the changed one', PATH),
    set(
      'by name',
      { rse_expression: 'TLB_A', max_transfers: 6, direction: 'DESTINATION' },
      use(201, null, 'access 6.6'),
    ),
    set('by a small letter', { rse_expression: 'TLB_A', max_transfers: 5, direction: 'd' }, refused),
    set('no expression', { max_transfers: 5 }),
    set('no number', { rse_expression: 'TLB_A' }),
    set('a text for a number', { rse_expression: 'TLB_A', max_transfers: 'x' }, refused),
    set('a bad expression', { rse_expression: '((', max_transfers: 1 }, unresolvable),
    set('an expression without RSEs', { rse_expression: 'TLB_NONE', max_transfers: 1 }, unresolvable),
    set('a list', []),
    root.put('nothing', PATH),
    as('tlb-alice').put('set as alice', PATH, { rse_expression: 'TLB_A', max_transfers: 5 }),
    as('tlb-alice').delete('delete as alice', PATH, { rse_expression: 'TLB_A' }),
    as('tlb-alice').get('list as alice', PATH, denied),
    root.get('list as a document', PATH, { headers: { Accept: 'application/json' } }),
    root.delete('delete an unknown one', PATH, { rse_expression: 'TLB_A', activity: 'No such' }),
    root.delete('delete without expression', PATH, {}),
    root.delete('delete the first', PATH, { rse_expression: 'TLB_A' }),
    root.delete('delete the other', PATH, { rse_expression: 'TLB_A', activity: 'Express', direction: 'S' }),
    root.get('list after deletions', PATH),
  ],
};
