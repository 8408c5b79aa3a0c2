/** Readers of the largest entities, with items that this code would not write like that. */
import { describe, expect, it } from 'vitest';

import { toDid } from '../../lib/store/entities/did-item.ts';
import { toRse } from '../../lib/store/entities/rse.ts';
import { toRule } from '../../lib/store/entities/rule.ts';
import { toWork } from '../../lib/store/entities/work.ts';
import type { Item } from '../../lib/store/items/item.ts';

const rse = '1'.repeat(32);
const common = { account: 'root', createdAt: 1, updatedAt: 2 };
const file: Item = {
  PK: 'S#data#3',
  SK: 'f',
  GSI1PK: 'GUID#x',
  ...common,
  type: 'FILE',
  'col:datatype': 'AOD',
  'meta:list': { json: '[1]' },
  [`replica:${rse}`]: { state: 'A', locks: { r1: { state: 'O', account: 'bob' } } },
};
const dataset: Item = {
  PK: 'S#data#3',
  SK: 'ds',
  ...common,
  type: 'DATASET',
  open: true,
  length: 2n ** 60n,
  shrinks: 1,
};
const rule: Item = {
  PK: 'RULE#r1',
  SK: 'RULE',
  scope: 'data',
  name: 'ds',
  ...common,
  rseExpression: 'A|B',
  copies: 1,
  didType: 'DATASET',
  grouping: 'ALL',
  status: 'ACTIVE',
  ok: 1,
  replicating: 0,
  stuck: 0,
  activity: 'User',
  notification: 'NO',
  priority: 3,
};
const disk: Item = {
  PK: 'RSES',
  SK: `RSE#${rse}`,
  createdAt: 1,
  updatedAt: 2,
  rse: 'DISK',
  rseType: 'DISK',
  deterministic: true,
  volatile: false,
  stagingArea: false,
  availabilityRead: true,
  availabilityWrite: true,
  availabilityDelete: true,
  location: { city: null, latitude: 4.5 },
  'attr:tier': '1',
  'limit:MinFreeSpace': 7,
  'qos:FAST': true,
  'proto:["h","https",443]': {
    impl: 'i',
    prefix: null,
    domains: { lan: {}, wan: { read: 1 } },
    extendedAttributes: '{}',
  },
};
const work: Item = { PK: 'WORK#1', SK: '000000000000001#a', task: { kind: 'remove', ruleId: 'r1' }, rev: 1 };

const readers: readonly [string, (item: Item) => unknown, Item][] = [
  ['a file', toDid, file],
  ['a dataset', toDid, dataset],
  ['a rule', toRule, rule],
  ['an RSE', toRse, disk],
  ['a task', toWork, work],
];

describe.each(readers)('%s', (_what, read, item) => {
  it('is read without attributes that the store does not know', () => {
    expect(read({ ...item, unknown: 1, 'unknown:key': 2 })).toEqual(read(item));
  });
});

describe('the item of a DID', () => {
  it('has the members of its type only', () => {
    expect(toDid({ ...file, open: true, length: 3 })).toEqual({
      scope: 'data',
      name: 'f',
      ...common,
      type: 'FILE',
      columns: { datatype: 'AOD' },
      meta: { list: [1] },
      replicas: new Map([[rse, { state: 'A', locks: { r1: { state: 'O', account: 'bob' } } }]]),
      unsettled: [],
      pending: new Map(),
    });
    expect(toDid({ ...dataset, md5: 'x' })).toEqual({
      scope: 'data',
      name: 'ds',
      ...common,
      type: 'DATASET',
      open: true,
      length: 2n ** 60n,
      shrinks: 1,
      columns: {},
      meta: {},
      unsettled: [],
      pending: new Map(),
    });
  });

  it('tells which batches have staged changes, and of what', () => {
    const staged = {
      '~b1': { set: { open: false }, add: { shrinks: 1 } },
      '~b2': { remove: ['expiredAt'] },
      gone: 'b3',
    };
    expect(toDid({ ...dataset, ...staged })).toMatchObject({
      unsettled: ['b1', 'b2', 'b3'],
      shrinking: 'b1',
      pending: new Map([
        ['open', 'b1'],
        ['expiredAt', 'b2'],
      ]),
    });
  });
});

it.each<[string, (item: Item) => unknown, Item]>([
  ['a type', toDid, { ...dataset, type: 'OTHER' }],
  ['a missing account', toDid, { ...dataset, account: undefined }],
  ['the size of a file', toDid, { ...file, bytes: '7' }],
  ['the state of a replica', toDid, { ...file, [`replica:${rse}`]: { state: 'X' } }],
  ['the lock of a replica', toDid, { ...file, [`replica:${rse}`]: { state: 'A', locks: { r1: { state: 'O' } } } }],
  ['a staged change', toDid, { ...dataset, '~b1': { set: 1 } }],
  ['the status of a rule', toRule, { ...rule, status: 'DONE' }],
  ['the RSEs of a rule', toRule, { ...rule, rseIds: [1] }],
  ['an attribute of an RSE', toRse, { ...disk, 'attr:tier': 1 }],
  ['a limit of an RSE', toRse, { ...disk, 'limit:MinFreeSpace': '7' }],
  ['the location of an RSE', toRse, { ...disk, location: { city: {} } }],
  ['a protocol', toRse, { ...disk, 'proto:["h","https",443]': { impl: 'i' } }],
  ['the key of a protocol', toRse, { ...disk, 'proto:["h"]': disk['proto:["h","https",443]'] }],
  ['the kind of a task', toWork, { ...work, task: { kind: 'toString', ruleId: 'r1' } }],
  ['the rule of a task', toWork, { ...work, task: { kind: 'remove' } }],
])('%s that has an unexpected type is refused', (_what, read, item) => {
  expect(() => read(item)).toThrow(/has an unexpected type$/);
});
