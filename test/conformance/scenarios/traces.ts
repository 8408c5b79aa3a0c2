import { as } from '../steps.ts';
import type { Scenario } from '../types.ts';

const nobody = as('none');
const TRACE = { eventType: 'touch', clientState: 'DONE', account: 'root' };

/** Traces of accesses. Rucio serves them where `traces` is among the `endpoints`, and a broker is configured. */
export const traces: Scenario = {
  name: 'traces',
  about: 'traces, which need no token',
  steps: [
    nobody.post('a trace', '/traces/', TRACE),
    nobody.post('two traces', '/traces/', [TRACE, TRACE]),
    nobody.post('no trace', '/traces/', []),
    nobody.post('nothing', '/traces/'),
    nobody.post('no JSON', '/traces/', { raw: 'no JSON' }),
    nobody.post('half of it', '/traces/', { raw: '{"eventType":' }, { compare: 'class' }),
  ],
};
