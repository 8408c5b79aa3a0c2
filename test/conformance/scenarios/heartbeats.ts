import { account, as, use } from '../steps.ts';
import type { JsonValue, Scenario } from '../types.ts';

const root = as('root');
const alive = { executable: 'conveyor', hostname: 'host1', pid: 17, older_than: 600 };
const refused = use(400, 'InvalidObject', 'access 6.4');
const beat = (name: string, body: JsonValue, options = {}) => root.post(name, '/heartbeats', body, options);

/** Heartbeats of daemons. */
export const heartbeats: Scenario = {
  name: 'heartbeats',
  about: 'heartbeats of daemons',
  steps: [
    ...account('hb-alice'),
    root.get('none', '/heartbeats'),
    beat('one', alive),
    root.get('list one', '/heartbeats'),
    beat('the same with a payload', { ...alive, payload: 'what' }),
    root.get('list the same', '/heartbeats'),
    beat('of another process', { ...alive, pid: 18 }),
    beat('of another host', { ...alive, hostname: 'host0', executable: 'b' }),
    root.get('list them', '/heartbeats', { compare: 'ordered' }),
    beat('without a limit', { executable: 'conveyor', hostname: 'host1', pid: 17 }, use(200, null, 'access 6.4')),
    beat('without a process', { executable: 'conveyor', hostname: 'host1', older_than: 600 }),
    beat('of a process that is a word', { ...alive, pid: 'x' }, refused),
    beat('of a host that is a number', { ...alive, hostname: 5 }, refused),
    beat('of an executable that is long', { ...alive, executable: 'e'.repeat(5000), pid: 19 }, refused),
    beat('a list', []),
    root.post('nothing', '/heartbeats'),
    as('hb-alice').post('as alice', '/heartbeats', alive),
    as('hb-alice').get('list as alice', '/heartbeats', use(401, 'AccessDenied', 'access 5.3')),
    root.get('list as a stream', '/heartbeats', { headers: { Accept: 'application/x-json-stream' } }),
  ],
};
