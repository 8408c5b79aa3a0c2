import { account, as, collection, files, rse, scope, use } from '../steps.ts';
import type { Scenario } from '../types.ts';

const root = as('root');
const alice = as('req-alice');
const NOT_FOUND = use(404, 'RSENotFound', 'access 6.6');
const DENIED = use(401, 'AccessDenied', 'access 5.1');
const SOURCES = use(200, null, 'access 6.6: with the sources of a copy');
const FROM_A_TO_B = 'src_rse=REQ_A&dst_rse=REQ_B';

/** Copies that rules ask for (spec/access.md 6.6). */
export const requests: Scenario = {
  name: 'requests',
  about: 'copies that rules ask for: one, lists, histories, metrics and limits',
  steps: [
    ...account('req-alice'),
    scope('req'),
    rse('REQ_A'),
    rse('REQ_B'),
    root.post('set up a limit', '/accounts/root/limits/local/REQ_B', { bytes: 1_000_000 }),
    collection('DATASET', 'req', 'ds'),
    files('req', 'ds', 'REQ_A', ['f', 'g']),
    root.post('set up a rule', '/rules/', {
      dids: [{ scope: 'req', name: 'ds' }],
      account: 'root',
      copies: 1,
      rse_expression: 'REQ_B',
      grouping: 'DATASET',
      weight: null,
      lifetime: null,
      locked: false,
      subscription_id: null,
    }),

    root.get('a request', '/requests/req/f/REQ_B', SOURCES),
    alice.get('anybody may see it', '/requests/req/f/REQ_B', SOURCES),
    root.get('none to this RSE', '/requests/req/f/REQ_A'),
    root.get('none of this file', '/requests/req/none/REQ_B'),
    root.get('an unknown RSE', '/requests/req/f/REQ_NONE', NOT_FOUND),
    root.get('a name without a scope', '/requests/f/REQ_B'),
    root.get('as text', '/requests/req/f/REQ_B', { headers: { Accept: 'text/html' } }),
    root.get('without a past', '/requests/history/req/f/REQ_B'),
    alice.get('whose past nobody may see', '/requests/history/req/f/REQ_B', DENIED),
    root.put('it has arrived', '/replicas', { rse: 'REQ_B', files: [{ scope: 'req', name: 'f', state: 'A' }] }),

    root.get('list what nobody works on', `/requests/list?${FROM_A_TO_B}&request_states=S,G,W,P`),
    root.get('list without states', `/requests/list?${FROM_A_TO_B}`),
    root.get('list an unknown state', `/requests/list?${FROM_A_TO_B}&request_states=Q,X`),
    root.get('list without a destination', '/requests/list?src_rse=REQ_A&request_states=Q'),
    root.get('list without a source', '/requests/list?dst_rse=REQ_A&request_states=Q'),
    root.get('list without a site to go to', '/requests/list?src_site=A&request_states=Q'),
    root.get('list without a site to come from', '/requests/list?dst_site=A&request_states=Q'),
    root.get('list an unknown site', '/requests/list?src_site=A&dst_site=B&request_states=Q'),
    root.get('list an unknown RSE', '/requests/list?src_rse=REQ_A&dst_rse=REQ_NONE&request_states=Q', NOT_FOUND),
    root.get('list neither', '/requests/list?request_states=Q', NOT_FOUND),
    alice.get('list as alice', `/requests/list?${FROM_A_TO_B}&request_states=Q`, DENIED),
    root.get('list the past', `/requests/history/list?${FROM_A_TO_B}&request_states=D&offset=x`),
    root.get('list the past without states', `/requests/history/list?${FROM_A_TO_B}`),
    alice.get('list the past as alice', `/requests/history/list?${FROM_A_TO_B}&request_states=D`, DENIED),
    root.get('list as a document', `/requests/list?${FROM_A_TO_B}&request_states=S`, {
      headers: { Accept: 'application/json' },
    }),

    root.post('set up a distance', '/rses/REQ_A/distances/REQ_B', { distance: 2 }),
    root.get('metrics', '/requests/metrics?src_rse=REQ_A'),
    root.get('metrics of others', '/requests/metrics?src_rse=REQ_B'),
    root.get('metrics of an unknown RSE', '/requests/metrics?dst_rse=REQ_NONE', NOT_FOUND),
    alice.get('metrics as alice', '/requests/metrics', DENIED),
    root.get('limits', '/requests/transfer_limits'),
    alice.get('limits as alice', '/requests/transfer_limits', DENIED),
  ],
};
