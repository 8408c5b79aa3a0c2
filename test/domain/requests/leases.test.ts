import { beforeEach, describe, expect, it } from 'vitest';

import { clock } from '../../../lib/clock.ts';
import { badReplicaList } from '../../../lib/contract/schemas/bad-replica.ts';
import { rowsOf } from '../../../lib/domain/paging/page.ts';
import { leaseTransfers } from '../../../lib/domain/requests/lease-transfers.ts';
import { reportTransfers } from '../../../lib/domain/requests/report-transfers.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { declareBad } from '../../../lib/operations/replicas/declare-replicas.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { listRequests } from '../../../lib/operations/requests/list-requests.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { updateRse } from '../../../lib/operations/rses/update-rse.ts';
import { addDistance } from '../../../lib/operations/rses/write-distance.ts';
import { analyseRule } from '../../../lib/operations/rules/analyse-rule.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { withFullItem } from '../../support/full-items.ts';
import { data } from '../dids/catalogue.ts';
import { type MoverCatalogue, namesOf, newMoverCatalogue, only } from './movers.ts';

const [minute, hour] = [60_000, 3_600_000];
let catalogue: MoverCatalogue;
let now: number;

beforeEach(async () => {
  catalogue = await newMoverCatalogue();
  now = Date.now() + 1_000;
});

const stateOf = async (states: string, at: number) =>
  (
    await Array.fromAsync(
      rowsOf(listRequests(catalogue.at(at), { src_rse: 'AAA', dst_rse: 'BBB', request_states: states })),
    )
  ).map(({ name, state, retry_count }) => `${name} ${state} ${retry_count}`);

describe('a lease', () => {
  it('gives each transfer to one of many movers that ask at the same time', async () => {
    const names = Array.from({ length: 60 }, (_value, index) => `f${index}`);
    await catalogue.want(names);
    const shares = await Promise.all(
      Array.from({ length: 8 }, (_value, index) => catalogue.lease(`mover ${index}`, now, { limit: 20 })),
    );
    const taken = shares.flatMap(namesOf);
    expect(new Set(taken).size).toBe(taken.length);
    const rest = await catalogue.lease('one more', now, { limit: 60 });
    expect([...taken, ...namesOf(rest)].toSorted()).toEqual(names.toSorted());
  });

  it('tells where the file is and where it is to be, and shows in the request', async () => {
    await catalogue.want(['f']);
    const leased = only(await catalogue.lease('host 1', now));
    expect(leased.sources.map(({ rse }) => rse.rse)).toEqual(['AAA']);
    expect(leased.lease).toMatchObject({ holder: 'host 1', until: now + 600_000 });
    expect(await stateOf('Q', now)).toEqual([]);
    expect(await stateOf('G', now)).toEqual(['f SUBMITTING 0']);
  });

  it('ends, so that another mover takes over from a dead one, whose late report has no effect', async () => {
    const [rule = ''] = await catalogue.want(['f']);
    const dead = only(await catalogue.lease('dead', now));
    expect(await catalogue.lease('heir', now + 9 * minute)).toEqual([]);
    const later = now + 11 * minute;
    expect(await stateOf('Q', later)).toEqual(['f QUEUED 0']);
    const heir = only(await catalogue.lease('heir', later));
    for (const state of ['DONE', 'FAILED', 'SUBMITTED', 'QUEUED'] as const) {
      expect(await catalogue.report(dead, later, { state })).toMatchObject([{ state: 'LOST' }]);
    }
    expect(await catalogue.replicas('f')).toBe('AAA:A[] BBB:C[R]');
    expect(await catalogue.report(heir, later, {})).toMatchObject([{ state: 'DONE' }]);
    expect(await catalogue.show(rule)).toBe('OK 1/0/0');
  });

  it('is prolonged by a report that the copy is under way', async () => {
    await catalogue.want(['f']);
    const leased = only(await catalogue.lease('slow', now));
    await catalogue.report(leased, now + 9 * minute, { state: 'SUBMITTING', seconds: 600 });
    expect(await catalogue.lease('other', now + 18 * minute)).toEqual([]);
    const submitted = { state: 'SUBMITTED', external_id: 'job 7', external_host: 'https://fts', seconds: 60 } as const;
    expect(await catalogue.report(leased, now + 18 * minute, submitted)).toMatchObject([{ state: 'SUBMITTED' }]);
    const heir = only(await catalogue.lease('other', now + 20 * minute));
    expect(heir.details.transfer).toMatchObject({ externalId: 'job 7', externalHost: 'https://fts' });
    expect(await stateOf('S', now + 20 * minute)).toEqual(['f SUBMITTED 0']);
  });

  it('is given back, and the transfer is free at once', async () => {
    await catalogue.want(['f']);
    const leased = only(await catalogue.lease('leaving', now));
    expect(await catalogue.report(leased, now, { state: 'QUEUED' })).toMatchObject([
      { state: 'QUEUED', retry_count: 0 },
    ]);
    expect(await catalogue.lease('other', now)).toHaveLength(1);
  });

  it('goes first to transfers of rules with a higher priority', async () => {
    await catalogue.want(['low'], { priority: 2 });
    await catalogue.want(['high'], { priority: 5 });
    await catalogue.want(['middle']);
    const order = [];
    for (let count = 0; count < 3; count += 1) order.push(...namesOf(await catalogue.lease('m', now, { limit: 1 })));
    expect(order).toEqual(['high', 'middle', 'low']);
  });

  it('is for one activity, if the mover asks for one', async () => {
    await catalogue.want(['express'], { activity: 'Express' });
    await catalogue.want(['other']);
    expect(namesOf(await catalogue.lease('m', now, { activity: 'Express' }))).toEqual(['express']);
  });

  it('skips a destination that is not writable', async () => {
    await catalogue.want(['f']);
    await updateRse(catalogue.at(), 'BBB', { availability_write: false });
    expect(await catalogue.lease('m', now)).toEqual([]);
  });

  it('does not hinder a mover that lists requests and reports with PUT /replicas', async () => {
    const [rule = ''] = await catalogue.want(['f']);
    const leased = only(await catalogue.lease('m', now));
    await updateReplicas(catalogue.at(now), { rse: 'BBB', files: [{ ...data('f'), state: 'A' }] });
    expect(await catalogue.show(rule)).toBe('OK 1/0/0');
    expect(await catalogue.report(leased, now, { state: 'FAILED' })).toMatchObject([{ state: 'DONE' }]);
    expect(await catalogue.show(rule)).toBe('OK 1/0/0');
  });
});

describe('a mover that reports', () => {
  it('twice, since it lost the answer, gets the same answer and changes nothing', async () => {
    await catalogue.want(['f', 'g']);
    const [first, second] = await catalogue.lease('m', now);
    if (first === undefined || second === undefined) throw new Error('two transfers were expected');
    const failure = { state: 'FAILED', err_msg: 'no space left' } as const;
    const answer = await catalogue.report(first, now, failure);
    expect(answer).toMatchObject([{ state: 'QUEUED', retry_count: 1, err_msg: 'no space left' }]);
    expect(await catalogue.report(first, now + 5, failure)).toEqual(answer);
    const done = await catalogue.report(second, now, { state: 'DONE' });
    expect(await catalogue.report(second, now + 5, { state: 'DONE' })).toEqual(done);
  });

  it.each([
    ['another size', { bytes: 11 }, 'The copy has 11 bytes, the file 10.'],
    ['another Adler-32', { adler32: '00000002' }, 'The copy has the adler32 00000002, the file 0cc737eb.'],
    ['another MD5', { md5: 'b'.repeat(32) }, `The copy has the md5 ${'b'.repeat(32)}, the file ${'a'.repeat(32)}.`],
  ])('%s than the catalogue knows has failed', async (_what, copy, message) => {
    const file = { ...data('f'), bytes: 10, adler32: '0cc737eb', md5: 'a'.repeat(32) };
    await addReplicas(catalogue.at(), { rse: 'AAA', files: [file], ignore_availability: false });
    await catalogue.rule('f', { rse_expression: 'BBB' });
    const leased = only(await catalogue.lease('m', now));
    expect(await catalogue.report(leased, now, { state: 'DONE', ...copy })).toMatchObject([
      { state: 'QUEUED', retry_count: 1, err_msg: message },
    ]);
    expect(await catalogue.replicas('f')).toBe('AAA:A[] BBB:C[R]');
  });

  it('tells a checksum of each copy, which a recovery needs even where sizes are enough', async () => {
    const known = { ...data('known'), bytes: 10, md5: 'a'.repeat(32) };
    await addReplicas(catalogue.at(), { rse: 'AAA', files: [known], ignore_availability: false });
    await catalogue.rule('known', { rse_expression: 'BBB' });
    await catalogue.want(['f', 'spoilt']);
    const doubt = 'The mover told no checksum of the copy that can be compared';
    const refused = async (name: string, at: number, report: object, reason: string) => {
      const leased = (await catalogue.lease('m', at)).find(({ details }) => details.transfer.did.name === name);
      if (leased === undefined) throw new Error(`${name} was not leased`);
      expect(await catalogue.report(leased, at, { state: 'DONE', ...report })).toMatchObject([{ err_msg: reason }]);
    };
    await refused('known', now, { adler32: '00000001' }, `${doubt} (md5).`);
    await refused('f', now + minute * 15, { adler32: undefined, bytes: 10 }, `${doubt} (adler32 or md5).`);
    await setRseAttribute(catalogue.at(), { rse: 'BBB', key: 'verify_checksum', value: 'False' });
    const accepting = now + hour;
    const sized = (await catalogue.lease('m', accepting)).filter(
      ({ details }) => details.transfer.did.name !== 'known',
    );
    for (const leased of sized) await catalogue.report(leased, accepting, { adler32: undefined });
    expect([await catalogue.replicas('f'), await catalogue.replicas('spoilt')]).toEqual([
      'AAA:A[] BBB:A[O]',
      'AAA:A[] BBB:A[O]',
    ]);
    await declareBad(catalogue.at(accepting), {
      ...badReplicaList.parse({ replicas: [{ ...data('spoilt'), rse: 'BBB' }], reason: 'rot' }),
    });
    expect(await catalogue.replicas('spoilt')).toBe('AAA:A[] BBB:C[R]');
    await refused('spoilt', accepting + minute, { adler32: undefined, bytes: 10 }, `${doubt} (adler32 or md5).`);
  });

  it('about a file whose item is full holds up no report about another, and the transfer shows why', async () => {
    const rules = await catalogue.want(['a', 'full', 'b']);
    const leased = await catalogue.lease('m', now);
    const reports = leased.map(({ details: { transfer }, lease }) => {
      const { scope, name } = transfer.did;
      return { scope, name, lease: lease.id, state: 'DONE' as const, adler32: '0cc737eb' };
    });
    const store = withFullItem(catalogue.store, data('full'));
    const outcomes = await reportTransfers(catalogue.at(now, store), await catalogue.rse('BBB'), reports);
    expect(outcomes.map(({ name }) => name)).toEqual(reports.map(({ name }) => name));
    expect(new Map(outcomes.map(({ name, state, err_msg }) => [name, [state, err_msg]]))).toEqual(
      new Map<string, unknown>([
        ['a', ['DONE', null]],
        ['b', ['DONE', null]],
        ['full', ['QUEUED', expect.stringMatching(/could not be carried out\. data:full: The item grows beyond/)]],
      ]),
    );
    expect(await Promise.all(rules.map((id) => catalogue.show(id)))).toEqual([
      'OK 1/0/0',
      'REPLICATING 0/1/0',
      'OK 1/0/0',
    ]);
    const waiting = await catalogue.transfer('full');
    expect(waiting).toMatchObject({ state: 'QUEUED', error: expect.stringMatching(/data:full/) });
    expect(waiting?.attempts).toBeUndefined();
    // The neighbours of such a file are not counted as silent, however often its own report is refused.
    expect(namesOf(await catalogue.lease('m', now + 20 * minute))).toEqual(['full']);
  });

  it('failures pauses the transfer, then gets it with another source first, and after four of them the rule is stuck', async () => {
    const [rule = ''] = await catalogue.want(['f']);
    await catalogue.register('CCC', ['f']);
    await addDistance(catalogue.at(), { source: 'AAA', destination: 'BBB' }, { distance: 1, bidirectional: false });
    await addDistance(catalogue.at(), { source: 'CCC', destination: 'BBB' }, { distance: 2, bidirectional: false });
    const used: string[] = [];
    let at = now;
    for (const pause of [1, 5, 15, 0]) {
      const leased = only(await catalogue.lease('m', at));
      const [best] = leased.sources;
      used.push(best?.rse.rse ?? '');
      const [outcome] = await catalogue.report(leased, at, { state: 'FAILED', err_msg: `attempt ${used.length}` });
      expect(outcome?.state).toBe(pause === 0 ? 'FAILED' : 'QUEUED');
      expect(await catalogue.lease('m', at + pause * minute - 1)).toEqual([]);
      at += pause * minute;
    }
    expect(used).toEqual(['AAA', 'CCC', 'AAA', 'CCC']);
    expect(await catalogue.show(rule)).toBe('STUCK 0/0/1');
    expect((await catalogue.read(rule)).error).toBe('attempt 4');
    expect(await analyseRule(catalogue.at(), rule)).toMatchObject({
      rule_error: 'attempt 4',
      transfers: [{ name: 'f', rse: 'BBB', attempts: 4, last_error: 'attempt 4', last_source: 'CCC' }],
    });
    expect(await catalogue.transfer('f')).toBeUndefined();
    await catalogue.recount();
  });

  it('nothing, six times in a row, has failed once', async () => {
    await catalogue.want(['f']);
    let at = now;
    for (let count = 0; count < 6; count += 1, at += hour) expect(await catalogue.lease('silent', at)).toHaveLength(1);
    expect(await catalogue.lease('silent', at)).toEqual([]);
    expect(await catalogue.transfer('f')).toMatchObject({ attempts: 1, error: expect.stringContaining('silent') });
    expect(await catalogue.lease('better', at + minute)).toHaveLength(1);
  });

  it('with a lease of another transfer, or of none, changes nothing', async () => {
    await catalogue.want(['f']);
    const leased = only(await catalogue.lease('m', now));
    for (const report of [{ lease: 'x' }, { name: 'g' }, { name: '#' }, { scope: '' }]) {
      expect(await catalogue.report(leased, now, report)).toMatchObject([{ state: 'LOST' }]);
    }
    expect(await catalogue.transfer('f')).toMatchObject({ state: 'SUBMITTING' });
  });
});

describe('a transfer without a source', () => {
  it('is put off, and taken once there is one', async () => {
    await catalogue.want(['f']);
    await updateRse(catalogue.at(), 'AAA', { availability_read: false });
    expect(await catalogue.lease('m', now)).toEqual([]);
    expect(await catalogue.transfer('f')).toMatchObject({ state: 'NO_SOURCES', due: now + 10 * minute });
    await updateRse(catalogue.at(), 'AAA', { availability_read: true });
    expect(await stateOf('Q', now)).toEqual(['f QUEUED 0']);
    expect(await catalogue.lease('m', now + 10 * minute)).toHaveLength(1);
  });
});

describe('sources', () => {
  it('on disk come before tape, near ones before far ones, unknown distances last', async () => {
    await catalogue.want(['f']);
    await catalogue.register('CCC', ['f']);
    const order = async () => {
      const leased = only(await catalogue.lease('m', now));
      await catalogue.report(leased, now, { state: 'QUEUED' });
      return leased.sources.map(({ rse }) => rse.rse);
    };
    await addDistance(catalogue.at(), { source: 'CCC', destination: 'BBB' }, { distance: 9, bidirectional: false });
    expect(await order()).toEqual(['CCC', 'AAA']);
    await addDistance(catalogue.at(), { source: 'AAA', destination: 'BBB' }, { distance: 3, bidirectional: false });
    expect(await order()).toEqual(['AAA', 'CCC']);
    await updateRse(catalogue.at(), 'AAA', { rse_type: 'TAPE' });
    expect(await order()).toEqual(['CCC', 'AAA']);
  });

  it('that the mover cannot reach leave the transfer to another one', async () => {
    await catalogue.want(['f']);
    expect(await catalogue.lease('m', now, { sources: new Set([await catalogue.rse('CCC')]) })).toEqual([]);
    expect(await catalogue.lease('m', now, { schemes: ['file'] })).toEqual([]);
    expect(await catalogue.lease('m', now)).toHaveLength(1);
  });
});

describe('a lease costs', () => {
  it('what it gives, however many transfers others have leased', async () => {
    const names = Array.from({ length: 120 }, (_value, index) => `f${index}`);
    await catalogue.register('AAA', [...names, 'last']);
    await catalogue.add('ds', 'DATASET');
    await catalogue.attach('ds', names);
    await catalogue.rule('ds', { rse_expression: 'BBB' });
    await catalogue.work();
    expect(await catalogue.lease('first', now)).toHaveLength(100);
    expect(await catalogue.lease('first', now)).toHaveLength(20);
    await catalogue.rule('last', { rse_expression: 'BBB' });
    const wish = { holder: 'second', destinations: [await catalogue.rse('BBB')], limit: 10, seconds: 60 };
    const { result, cost } = await measure(() => leaseTransfers(catalogue.at(clock.now() + 1_000), wish));
    expect(namesOf(result)).toEqual(['last']);
    // The queries of four shards and of the limits, the fleet, the file, its rule and the distance; one write, and its index.
    expect(cost).toMatchObject({ wru: 3 });
    expect(cost.rru).toBeLessThanOrEqual(8);
  });
});

describe('a mover of many RSEs', () => {
  const [idle, units, trips] = [60, 130, 22];

  it('finds what is due at one of them, at two units and a third of a round trip each', async () => {
    await catalogue.want(['f']);
    const found = await catalogue.rse('BBB');
    const others = Array.from({ length: idle }, (_value, index) => ({ ...found, id: `${index}`.padStart(32, 'e') }));
    const wish = { holder: 'm', destinations: [...others, found], limit: 10, seconds: 60 };
    const { result, cost } = await measure(() => leaseTransfers(catalogue.at(now), wish));
    expect(namesOf(result)).toEqual(['f']);
    expect(cost.rru).toBeLessThanOrEqual(units);
    expect(cost.roundTrips).toBeLessThanOrEqual(trips);
  });

  it('takes no more than it wants, and from all of them what it wants', async () => {
    await catalogue.register('AAA', ['f', 'g', 'h']);
    for (const name of ['f', 'g', 'h']) {
      for (const rse_expression of ['BBB', 'CCC']) await catalogue.rule(name, { rse_expression });
    }
    const destinations = [await catalogue.rse('AAA'), await catalogue.rse('BBB'), await catalogue.rse('CCC')];
    expect(await catalogue.lease('one', now, { destinations, limit: 4 })).toHaveLength(4);
    expect(await catalogue.lease('two', now, { destinations })).toHaveLength(2);
    expect(await catalogue.lease('three', now, { destinations })).toEqual([]);
  });
});
