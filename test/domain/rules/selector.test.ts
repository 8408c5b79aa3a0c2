import { describe, expect, it } from 'vitest';

import type { ReplicaState } from '../../../lib/contract/schemas/states.ts';
import { Limit, type Remaining } from '../../../lib/domain/rules/engine/limit.ts';
import { type Candidate, Selector } from '../../../lib/domain/rules/engine/selector.ts';
import { type CountedFile, sumUnit, UnitCounter } from '../../../lib/domain/rules/engine/unit.ts';

const endless = Number.POSITIVE_INFINITY;

/** Rest of the quota, of the space and of limits on expressions. */
interface Left {
  readonly weight?: number;
  readonly quotaLeft?: Remaining;
  readonly spaceLeft?: Remaining;
  readonly globalsLeft?: readonly Remaining[];
}

const candidate = (rseId: string, left: Left = {}): Candidate => ({
  rseId,
  weight: left.weight ?? 1,
  quota: new Limit(left.quotaLeft ?? endless),
  space: new Limit(left.spaceLeft ?? endless),
  globals: (left.globalsLeft ?? []).map((one) => new Limit(one)),
});

/** A file with a size in bytes and replicas by RSE. */
const file = (bytes: number, states: Readonly<Record<string, ReplicaState>> = {}): CountedFile => ({
  bytes,
  replicas: new Map(Object.entries(states).map(([rseId, state]) => [rseId, { state }])),
});

/** Given numbers instead of random ones. */
const given = (...numbers: number[]) => {
  const left = [...numbers];
  return () => left.shift() ?? 0;
};

const byBytes = { inOrder: true };
const byWeight = { inOrder: false };

describe('the selection of RSEs for a unit of files (replication 3.2)', () => {
  it.each<[string, Record<string, ReplicaState>, Record<string, ReplicaState>, string[]]>([
    ['most bytes of it', { a: 'A' }, { a: 'A', b: 'A' }, ['a']],
    ['copies on the way', { b: 'C' }, {}, ['b']],
    ['what is away for a time', { c: 'T' }, {}, ['c']],
  ])('takes the RSE with %s', (_text, one, other, expected) => {
    const selector = new Selector([candidate('a'), candidate('b'), candidate('c')], 1, given(0));
    expect(selector.select(sumUnit([file(5, one), file(3, other)]), byBytes)).toEqual(expected);
  });

  it.each(['U', 'D'] as const)('ignores replicas in the state %s', (state) => {
    const selector = new Selector([candidate('a'), candidate('b')], 1, given(0.9));
    expect(selector.select(sumUnit([file(5, { a: state })]), byBytes)).toEqual(['b']);
  });

  it('excludes RSEs from which one of the files is being deleted', () => {
    const unit = sumUnit([file(5, { a: 'A' }), file(1, { a: 'B' })]);
    expect(new Selector([candidate('a'), candidate('b')], 1, given(0)).select(unit, byBytes)).toEqual(['b']);
    expect(() => new Selector([candidate('a'), candidate('b')], 2, given(0)).select(unit, byBytes)).toThrow(
      'There are not enough target RSEs to fulfil the request at this time.',
    );
  });

  it.each([
    [0, 'a'],
    [0.24, 'a'],
    [0.25, 'b'],
    [0.99, 'b'],
  ])('is by weight if no RSE holds bytes: %s selects %s', (number, expected) => {
    const candidates = [candidate('a', { weight: 1 }), candidate('b', { weight: 3 })];
    expect(new Selector(candidates, 1, given(number)).select(sumUnit([file(5)]), byBytes)).toEqual([expected]);
  });

  it('selects every RSE once, those with bytes first', () => {
    const candidates = ['a', 'b', 'c'].map((rseId) => candidate(rseId));
    const unit = sumUnit([file(5, { b: 'A' })]);
    expect(new Selector(candidates, 3, given(0.9, 0)).select(unit, byBytes)).toEqual(['b', 'c', 'a']);
  });

  it('is by weight among the preferred RSEs if their order is irrelevant', () => {
    const candidates = ['a', 'b', 'c'].map((rseId) => candidate(rseId));
    const unit = sumUnit([file(5, { b: 'A', c: 'A' })]);
    expect(new Selector(candidates, 1, given(0.9)).select(unit, byWeight)).toEqual(['c']);
    expect(new Selector(candidates, 1, given(0)).select(unit, { rseIds: ['c'], inOrder: false })).toEqual(['c']);
  });

  it('selects any RSE if all weights are 0', () => {
    const candidates = [candidate('a', { weight: 0 }), candidate('b', { weight: 0 })];
    expect(new Selector(candidates, 1, given(0, 0.6)).select(sumUnit([file(1)]), byBytes)).toEqual(['b']);
  });
});

describe('quota and space (replication 3.2)', () => {
  const quota = "There is insufficient quota on any of the target RSE's to fulfill the operation.";
  const space = "There is insufficient space on any of the target RSE's to fulfill the operation.";

  it.each([
    ['as much quota as bytes', { quotaLeft: 10 }, quota],
    ['less of a limit on an expression than bytes', { globalsLeft: [20, 9] }, quota],
    ['less space than bytes', { spaceLeft: 9 }, space],
  ])('%s is not enough', (_text, left, message) => {
    const selector = new Selector([candidate('a', left)], 1);
    expect(() => selector.select(sumUnit([file(10)]), byBytes)).toThrow(message);
  });

  it.each([
    ['one more byte of quota', { quotaLeft: 11 }],
    ['as much of a limit on an expression as bytes', { globalsLeft: [10] }],
    ['as much space as bytes', { spaceLeft: 10 }],
  ])('%s is enough', (_text, left) => {
    expect(new Selector([candidate('a', left)], 1).select(sumUnit([file(10)]), byBytes)).toEqual(['a']);
  });

  it('needs no space for bytes that the RSE holds already', () => {
    const unit = sumUnit([file(10, { a: 'A' }), file(5)]);
    expect(new Selector([candidate('a', { spaceLeft: 5 })], 1).select(unit, byBytes)).toEqual(['a']);
  });

  it('counts earlier selections', () => {
    const selector = new Selector([candidate('a', { quotaLeft: 21, globalsLeft: [25] })], 1);
    const unit = sumUnit([file(10)]);
    expect(selector.select(unit, byBytes)).toEqual(['a']);
    expect(selector.select(unit, byBytes)).toEqual(['a']);
    expect(() => selector.select(unit, byBytes)).toThrow(quota);
  });

  it('is exact beyond 2^53', () => {
    const selector = new Selector([candidate('a', { quotaLeft: 9_007_199_254_740_994n })], 1);
    const unit = { size: 9_007_199_254_740_993n, held: new Map(), blocked: new Set<string>() };
    expect(selector.select(unit, byBytes)).toEqual(['a']);
    expect(() => selector.select({ ...unit, size: 1 }, byBytes)).toThrow(quota);
  });
});

describe('the sums of a unit', () => {
  it('can be stored and resumed', () => {
    const one = new UnitCounter();
    one.add(file(5, { a: 'A', b: 'B' }));
    const two = new UnitCounter(JSON.parse(JSON.stringify(one.record())) as ReturnType<UnitCounter['record']>);
    two.add(file(7, { a: 'C' }));
    expect(two.unit()).toEqual({ size: 12, held: new Map([['a', 12]]), blocked: new Set(['b']) });
  });
});
