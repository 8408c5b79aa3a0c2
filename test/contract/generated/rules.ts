import type { Client } from '../../support/server.ts';
import type { Words } from './values.ts';

/** Objects of the catalogue that rules may name. */
interface Parts {
  readonly scope: string;
  readonly accounts: readonly string[];
  readonly rses: readonly string[];
}

/** Makes rules, of which some wait for copies and one for its approval, and public data; returns the words for requests about them. */
export async function makeRules(root: Client, { scope, accounts, rses }: Parts): Promise<Words> {
  const [own = '', ...others] = accounts;
  const [there = '', elsewhere = ''] = rses;
  for (const account of accounts) {
    for (const rse of rses) await root.post(`/accounts/${account}/limits/local/${rse}`, { bytes: -1 });
  }
  const make = (name: string, account: string, rse: string, more: object = {}) =>
    makeRule(root, { dids: [{ scope, name }], account, copies: 1, rse_expression: rse, ...more });
  const kept = await Promise.all([
    make('dataset', own, elsewhere),
    make('container', own, elsewhere),
    make('store', own, there),
    make('empty', own, there, { ask_approval: true }),
    make('empty', own, `${there}|${elsewhere}`, { copies: 2 }),
  ]);
  const doomed = await Promise.all(
    others.flatMap((account) => ['dataset', 'store', 'empty'].map((name) => make(name, account, elsewhere))),
  );
  await failOnce(root, { scope, name: 'file.3', rse: elsewhere });
  for (const name of ['dataset', 'container', 'file.1']) await root.post(`/opendata/dids/${scope}/${name}`);
  await root.post(`/dids/${scope}/published`, { type: 'DATASET', dids: [{ scope, name: 'file.3' }] });
  await root.put(`/dids/${scope}/published/status`, { open: false });
  await root.post(`/opendata/dids/${scope}/published`);
  await root.put(`/opendata/dids/${scope}/published`, { state: 'PUBLIC' });
  const wishFor = (name: string) => ({ dids: [{ scope, name }], account: own, copies: 1, rse_expression: there });
  return {
    rule_id: kept.flat(),
    'doomed rule_id': doomed.flat(),
    'body rule': [
      ...['file.1', 'file.3', 'empty', 'container'].map(wishFor),
      { options: { priority: 2 } },
      { options: { state: 'STUCK' } },
      { rse_expression: elsewhere },
      { copies: 1 },
    ],
    'body opendata': [{ state: 'PUBLIC' }, { meta: { title: 'data' } }, { doi: '10.1234/data' }],
    did_type: ['dataset'],
    'path /requests/**:scope_name/:rse': [`/requests/${scope}/file.1/${elsewhere}`],
    'path /requests/history/**:scope_name/:rse': [`/requests/history/${scope}/file.3/${elsewhere}`],
    'path /opendata/public/dids/**:scope_name': [`/opendata/public/dids/${scope}/published`],
    dst_rse: [elsewhere],
    'query /requests/list': ['Q', 'Q,S'].map((states) => transfers(elsewhere, states)),
    'query /requests/history/list': ['D', 'F'].map((states) => transfers(elsewhere, states)),
  };
}

/** Lets a copy of a file fail once, so that it has a history. */
async function failOnce(
  root: Client,
  { scope, name, rse }: { scope: string; name: string; rse: string },
): Promise<void> {
  const leased = await root.post('/requests/lease', { holder: 'mover', dst_rse: rse, seconds: 60 });
  const rows = leased.json() as readonly { readonly scope: string; readonly name: string; readonly lease: string }[];
  const own = rows.find((row) => row.scope === scope && row.name === name);
  const requests = rows.map((row) => ({
    scope: row.scope,
    name: row.name,
    lease: row.lease,
    state: row === own ? 'FAILED' : 'QUEUED',
  }));
  if (rows.length > 0) await root.post('/requests/report', { rse, requests });
}

const transfers = (to: string, states: string) => `?src_rse=*&dst_rse=${to}&request_states=${states}`;

/** The id of a rule that is made, or that an earlier run has made. */
async function makeRule(
  root: Client,
  rule: { readonly dids: readonly { scope: string; name: string }[] } & Readonly<Record<string, unknown>>,
) {
  const answer = await root.post('/rules/', rule);
  if (answer.status === 201) return answer.json() as readonly string[];
  const [did] = rule.dids;
  const rows = (await root.get(`/dids/${did?.scope}/${did?.name}/rules`)).lines() as { readonly id: string }[];
  return rows.map(({ id }) => id).slice(0, 1);
}
