import { describe, expect, it } from 'vitest';

import { matchesFilter } from '../../../lib/domain/subscriptions/engine/matches-filter.ts';
import { requiresMatch } from '../../../lib/domain/subscriptions/engine/newness.ts';
import { readFilter } from '../../../lib/domain/subscriptions/subscription-filter.ts';
import type { CollectionDid, FileDid } from '../../../lib/store/entities/did.ts';

const now = Date.UTC(2026, 10, 21, 12, 26, 11);

const dataset: CollectionDid = {
  scope: 'data26',
  name: 'data26.0001.AOD.f1',
  type: 'DATASET',
  account: 'alice',
  createdAt: now,
  updatedAt: now,
  open: true,
  bytes: 100,
  length: 10,
  columns: { datatype: 'AOD', run_number: 26_001, eol_at: now },
  meta: { group: 'higgs' },
  unsettled: [],
  pending: new Map(),
};

const { open: _open, length: _length, ...about } = dataset;
const fits = (filter: object, more: Partial<CollectionDid> = {}) =>
  matchesFilter({ ...dataset, ...more }, readFilter(JSON.stringify(filter)));

describe('a filter (access 3.7)', () => {
  it.each<[string, object, boolean]>([
    ['nothing', {}, true],
    ['the start of the name', { pattern: String.raw`data26\.` }, true],
    ['the name, not to its end', { pattern: 'data' }, true],
    ['what is not at the start', { pattern: 'AOD' }, false],
    ['what is anywhere', { pattern: String.raw`.*\.(AOD|ESD)\.` }, true],
    ['a bad expression', { pattern: '(' }, false],
    ['what is excluded', { excluded_pattern: 'data26' }, false],
    ['what is excluded elsewhere', { excluded_pattern: 'AOD' }, true],
    ['what a bad expression excludes', { excluded_pattern: '(' }, false],
    ['one of the scopes', { scope: ['mc', 'data'] }, true],
    ['no scope', { scope: [] }, false],
    ['other scopes', { scope: ['ata26'] }, false],
    ['an account', { account: ['bob', 'alice'] }, true],
    ['a part of an account', { account: ['ali'] }, false],
    ['no pattern of an account', { account: ['a.*'] }, false],
    ['a type', { did_type: 'DATASET' }, true],
    ['one of the types', { did_type: ['CONTAINER', 'DATASET'] }, true],
    ['the letter of a type', { did_type: ['D'] }, false],
    ['the least average size', { min_avg_file_size: 10 }, true],
    ['a greater one', { min_avg_file_size: 10.5 }, false],
    ['the greatest average size', { max_avg_file_size: '10' }, true],
    ['a smaller one', { max_avg_file_size: 9 }, false],
    ['the mode', { split_rule: true }, true],
    ['a column', { datatype: ['ESD', 'AOD'] }, true],
    ['a single value', { datatype: 'AO' }, true],
    ['another value', { datatype: ['OD'] }, false],
    ['the start of a number', { run_number: [26] }, true],
    ['an expression', { run_number: [String.raw`26\d\d\d$`] }, true],
    ['an absent value', { project: ['None'] }, true],
    ['no boolean of JSON', { transient: ['false'] }, false],
    ['a boolean of Python', { transient: ['False'], is_new: [true], hidden: ['False'] }, true],
    ['an empty value', { project: '' }, true],
    ['no value', { datatype: [] }, false],
    ['a date', { created_at: ['2026-11-21 12:26'], eol_at: '2026-11', closed_at: 'None' }, true],
    ['the owner as a column', { name: 'data26', monotonic: 'False', bytes: '^100$' }, true],
    ['the kind of a column', { availability: 'DIDAvailability.AVAILABLE' }, true],
    ['what is no column', { group: 'higgs' }, false],
    ['a name of every object', { constructor: '' }, false],
    ['several keys', { pattern: 'data', datatype: ['AOD'], account: ['alice'] }, true],
    ['several keys, one of them not', { pattern: 'data', datatype: ['ESD'], account: ['alice'] }, false],
  ])('with %s', (_what, filter, expected) => {
    expect(fits(filter)).toBe(expected);
  });

  it('ignores sizes without files', () => {
    expect(fits({ min_avg_file_size: 1e9 }, { bytes: 0, length: 0 })).toBe(true);
  });

  it('never matches hidden DIDs', () => {
    expect(fits({}, { columns: { hidden: true } })).toBe(false);
  });

  it('with exponential backtracking is stopped', () => {
    const name = `${'a'.repeat(60)}!`;
    for (const pattern of ['(a+)+$', '(a|aa)+$', '(?:a*)*b', String.raw`(\w+)+\1$`]) {
      expect(() => fits({ pattern }, { name })).toThrow('takes too long');
    }
    // Other expressions work as before.
    expect(fits({ pattern: '(a+)+!$' }, { name })).toBe(true);
  });
});

describe('a change of a collection requires matching', () => {
  const asks = (
    before: Partial<CollectionDid> | undefined,
    after: Partial<CollectionDid>,
    { later = 0, closing = false } = {},
  ) => {
    const images = { after: { ...dataset, ...after }, ...(before && { before: { ...dataset, ...before } }) };
    return requiresMatch({ kind: 'did', id: '1', at: now + later, ...images }, closing);
  };

  it('when it is created, unless it is not new, hidden or a file', () => {
    expect(asks(undefined, {})).toBe(true);
    expect(asks(undefined, { columns: { is_new: false } })).toBe(false);
    expect(asks(undefined, { columns: { hidden: true } })).toBe(false);
    const file: FileDid = { ...about, type: 'FILE', replicas: new Map() };
    expect(requiresMatch({ kind: 'did', id: '1', at: now, after: file }, false)).toBe(false);
  });

  it('when it is new again, and when its metadata changes within ten minutes', () => {
    expect(asks({}, { newAt: now + 5 })).toBe(true);
    expect(asks({ columns: {} }, {}, { later: 599_000 })).toBe(true);
    expect(asks({ columns: {} }, {}, { later: 600_000 })).toBe(false);
    expect(asks({}, { length: 20 })).toBe(false);
  });

  it('when it is closed, if closing counts', () => {
    expect(asks({}, { open: false })).toBe(false);
    expect(asks({}, { open: false }, { closing: true, later: 1e9 })).toBe(true);
    expect(asks({ open: false }, { open: false }, { closing: true })).toBe(false);
  });
});
