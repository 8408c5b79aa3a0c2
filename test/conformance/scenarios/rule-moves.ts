import { as, collection, rse, scope, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');

const move = (name: string, more: JsonValue, options = {}) => [
  collection('DATASET', 'mov', name),
  root.post(
    `make a rule on ${name}`,
    '/rules/',
    { dids: [{ scope: 'mov', name }], account: 'root', copies: 1, rse_expression: 'MOV_A' },
    { save: { [name]: '0' }, compare: 'status' },
  ),
  root.post(
    `move the rule on ${name}`,
    `/rules/{{${name}}}/move`,
    { rse_expression: 'MOV_B', ...(more as Record<string, JsonValue>) },
    { compare: 'status', ...options },
  ),
  root.get(`the rules on ${name}`, `/dids/mov/${name}/rules`, { compare: 'status' }),
];

/** The activity of a moved rule is not validated, as that of a new one is. */
export const ruleMoves: Scenario = {
  name: 'rule-moves',
  about: 'activities of moved rules',
  steps: [
    scope('mov'),
    rse('MOV_A'),
    rse('MOV_B'),
    root.post('allow the account everything on the first', '/accounts/root/limits/local/MOV_A', { bytes: -1 }),
    root.post('allow the account everything on the second', '/accounts/root/limits/local/MOV_B', { bytes: -1 }),
    ...move('any', { override: { activity: 'No such activity' } }),
    ...move('older', { activity: 'No such activity' }),
    ...move('empty', { override: { activity: '' } }),
    ...move('long', { override: { activity: 'a'.repeat(51) } }, use(409, 'InvalidObject', 'replication 2.8')),
  ],
};
