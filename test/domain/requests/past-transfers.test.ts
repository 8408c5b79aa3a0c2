import { beforeEach, describe, expect, it } from 'vitest';

import { keepPastTransfers } from '../../../lib/background/keep-past-transfers.ts';
import { removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { getRequestHistory } from '../../../lib/operations/requests/get-request.ts';
import { listRequestsHistory } from '../../../lib/operations/requests/list-past-requests.ts';
import { data } from '../dids/catalogue.ts';
import { type MoverCatalogue, newMoverCatalogue, only } from './movers.ts';

const day = 86_400_000;
let catalogue: MoverCatalogue;
let now: number;
let changes = 0;

beforeEach(async () => {
  catalogue = await newMoverCatalogue();
  now = Date.now() + 1_000;
});

/** Does something to the transfer of a file, and delivers the change twice, as the stream may. */
async function follow(name: string, act: () => Promise<unknown>, at = now): Promise<void> {
  const before = await catalogue.transfer(name);
  await act();
  const after = await catalogue.transfer(name);
  changes += 1;
  const images = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  const change = { kind: 'transfer' as const, id: String(changes), at, ...images };
  for (let delivery = 0; delivery < 2; delivery += 1) await keepPastTransfers.run(catalogue.at(now), [change]);
}

const history = (request_states: string, more: object = {}, at = now) =>
  Array.fromAsync(
    listRequestsHistory(catalogue.at(at), {
      src_rse: 'AAA',
      dst_rse: 'BBB',
      request_states,
      offset: 0,
      limit: 100,
      ...more,
    }),
  );

describe('the history of requests', () => {
  it('has an entry for each failed attempt and for the copy, once, whatever the stream repeats', async () => {
    await catalogue.want(['f']);
    const first = only(await catalogue.lease('m', now));
    await follow('f', () => catalogue.report(first, now, { state: 'FAILED', err_msg: 'disk full', source_rse: 'AAA' }));
    const second = only(await catalogue.lease('m', now + 60_000));
    await follow('f', () => catalogue.report(second, now + 61_000, { state: 'DONE', bytes: 10 }), now + 61_000);
    const id = first.details.transfer.id;
    expect(await history('D,F')).toMatchObject([
      { id, name: 'f', state: 'FAILED', retry_count: 0, err_msg: 'disk full', source_rse: 'AAA', dest_rse: 'BBB' },
      { id, name: 'f', state: 'DONE', retry_count: 1, err_msg: null, source_rse: 'AAA', bytes: 10 },
    ]);
    const asked = { account: 'root', activity: 'User Subscriptions', priority: 3 };
    expect(await history('D,F')).toMatchObject([asked, asked]);
    expect(await history('F')).toHaveLength(1);
    expect(await history('D,F', { offset: 1, limit: 1 })).toMatchObject([{ state: 'DONE' }]);
    expect(await history('D,F', { src_rse: 'CCC' })).toEqual([]);
    expect(await getRequestHistory(catalogue.at(now), data('f'), 'BBB')).toMatchObject({ state: 'DONE' });
  });

  it('has what movers report with PUT /replicas, whose source nobody knows', async () => {
    await catalogue.want(['f', 'g']);
    const put = (name: string, state: 'A' | 'U') => () =>
      updateReplicas(catalogue.at(now), { rse: 'BBB', files: [{ ...data(name), state, error_message: 'no route' }] });
    await follow('f', put('f', 'A'));
    await follow('g', put('g', 'U'));
    expect(await history('D,F')).toEqual([]);
    expect(await history('D,F', { src_rse: '*' })).toMatchObject([
      { name: 'f', state: 'DONE', source_rse: null },
      { name: 'g', state: 'FAILED', err_msg: 'no route' },
    ]);
  });

  it('has no entry for a copy that was cancelled, and forgets after 30 days', async () => {
    const [rule = ''] = await catalogue.want(['f', 'g']);
    const { store } = catalogue.at();
    await follow('f', () => removeRuleNow(store, rule, { now, until: now + 60_000 }));
    expect(await catalogue.transfer('f')).toBeUndefined();
    expect(await history('D,F')).toEqual([]);
    await follow('g', () => updateReplicas(catalogue.at(now), { rse: 'BBB', files: [{ ...data('g'), state: 'A' }] }));
    expect(await history('D,F', { src_rse: '*' }, now + 29 * day)).toHaveLength(1);
    expect(await history('D,F', { src_rse: '*' }, now + 31 * day)).toEqual([]);
    await expect(getRequestHistory(catalogue.at(now + 31 * day), data('g'), 'BBB')).rejects.toMatchObject({
      name: 'RequestNotFound',
    });
  });
});
