import type { Step } from './actions.ts';
import type { FaultKind } from './faults.ts';

/** A shortened history that showed a flaw. */
export interface Regression {
  /** The flaw. */
  readonly what: string;
  readonly seed: string;
  readonly kinds: readonly FaultKind[];
  /** Whether the limits of the service are small (small-limits.ts). */
  readonly isSmall?: true;
  readonly steps: readonly Step[];
  /** The service still has the flaw. Remove this with the fix. */
  readonly isOpen?: true;
}

const few = (name: string, children: string) =>
  ({ do: 'attach', name, children: children.split(' '), register: true }) as const;

const metadata = 'b1 ct0 ds0 ct1 f5 b8 ds4 ds3 b4 b2 b5 ds1 f2 b0'.split(' ');

/** Histories that simulations found. */
export const regressions: readonly Regression[] = [
  {
    what: 'a request that is committed is answered 500, as another one is at an item that it folds',
    seed: '1',
    kinds: ['conflict'],
    steps: [
      { id: 0, client: 0, action: few('ds0', 'b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11') },
      { id: 1, client: 1, action: few('ds0', 'f1') },
      { id: 2, client: 2, action: few('ds0', 'f2') },
      { id: 3, client: 3, action: few('ds0', 'f3') },
      { id: 4, client: 4, action: few('ds0', 'f4') },
      { id: 5, client: 5, action: few('ds0', 'f5') },
    ],
  },
  {
    what: 'a request is refused for what it has done itself, as the first answer of the table was lost',
    seed: '18',
    kinds: ['lost answer'],
    steps: [{ id: 0, client: 0, action: { do: 'open', name: 'ds0', open: false } }],
  },
  {
    what: 'an attachment never knows of events that were set while it was made',
    seed: 'A10',
    kinds: [],
    steps: [
      { id: 64, client: 5, action: few('ds0', 'f6 f8 f1') },
      { id: 66, client: 3, action: { do: 'set', names: ['f6'], key: 'events', value: 5 } },
      { id: 67, client: 1, action: few('ds4', 'f6') },
    ],
  },
  {
    what: 'a container is attached to one below it, as the index does not show yet what is above',
    seed: 'c.15',
    kinds: ['lost request', 'throttle', 'throttled partition', 'delay', 'index lag', 'redelivery', 'shard delay'],
    steps: [
      { id: 26, client: 0, action: { do: 'set', names: metadata, key: 'datatype', value: 'RAW' } },
      { id: 60, client: 2, action: { do: 'attach', name: 'ct3', children: ['ct1', 'ct2'], register: false } },
      { id: 63, client: 2, action: { do: 'attach', name: 'ct2', children: ['ct3'], register: false } },
    ],
  },
  {
    what: 'metadata of one DID, named several times in one request, is more than can be written at once',
    seed: 'flood',
    kinds: [],
    steps: [
      {
        id: 0,
        client: 0,
        action: {
          do: 'flood',
          names: ['ct0', 'ct1', 'ct2', 'ct3', 'ds0', 'ds1', 'ds2', 'ds3', 'ds4'],
          value: 1,
        },
      },
    ],
  },
  {
    what: 'what is ignored as attached already is detached meanwhile, and missing then',
    seed: 'a2',
    kinds: ['throttle', 'delay'],
    steps: [
      {
        id: 48,
        client: 0,
        action: {
          do: 'fill',
          name: 'ds1',
          children: 'b34 b43 b28 b0 b38 b40 b33 b14 b24 b22 b18 b26 b13 b29 b3 b46 b39 b37 b25 b10 b6 b5'.split(' '),
        },
      },
      {
        id: 50,
        client: 0,
        action: {
          do: 'fill',
          name: 'ds1',
          children:
            'b44 b39 b4 b31 b34 b8 b9 b26 b20 b15 b28 b33 b0 b47 b11 b22 b2 b38 b43 b42 b18 b10 b30 b13 b41 b27 b6 b3 b14 b49 b35 b16 b19 b40 b12'.split(
              ' ',
            ),
        },
      },
      { id: 51, client: 3, action: { do: 'empty', name: 'ds1', count: 38 } },
      { id: 53, client: 1, action: { do: 'look', name: 'ds1' } },
    ],
  },
  {
    what: 'an attachment never knows of events that are set while the index does not show it',
    seed: '3.1',
    kinds: [
      'lost request',
      'lost answer',
      'throttle',
      'throttled partition',
      'conflict',
      'death',
      'freeze',
      'delay',
      'index lag',
      'shard delay',
      'lost reply',
    ],
    steps: [
      { id: 127, client: 1, action: { do: 'set', names: ['ds0'], key: 'datatype', value: 'RAW' } },
      {
        id: 132,
        client: 0,
        action: {
          do: 'fill',
          name: 'ds1',
          children:
            'b10 b8 b26 b25 b22 b3 b48 b15 b4 b33 b18 b21 b9 b16 b41 b12 b34 b49 b43 b39 b44 b14 b38 b23 b46 b11 b32 b36 b28 b13 b1 b6 b35 b17 b31 b37'.split(
              ' ',
            ),
        },
      },
      { id: 143, client: 1, action: { do: 'empty', name: 'ds4', count: 4 } },
      { id: 144, client: 3, action: { do: 'detach', name: 'ds3', children: ['b2'] } },
      {
        id: 149,
        client: 1,
        action: {
          do: 'fill',
          name: 'ds4',
          children:
            'b44 b2 b8 b22 b1 b47 b41 b43 b49 b17 b0 b26 b23 b29 b14 b24 b42 b46 b38 b35 b6 b16 b36 b7 b4 b31 b21 b13 b27 b40 b45 b15 b28 b34 b10 b3 b39 b30'.split(
              ' ',
            ),
        },
      },
      { id: 150, client: 5, action: { do: 'attach', name: 'ds4', children: ['f5', 'f0'], register: true } },
      { id: 151, client: 3, action: { do: 'set', names: ['b18'], key: 'events', value: 7 } },
    ],
  },
  {
    what: 'what a bulk request has committed is hidden from a request during which the clock is set forward',
    seed: 'p1.1',
    kinds: ['clock jump'],
    steps: [
      {
        id: 9,
        client: 4,
        action: {
          do: 'create',
          names:
            'dsx15 dsx7 dsx10 dsx28 dsx19 dsx26 dsx20 dsx3 dsx27 dsx5 dsx23 dsx14 dsx22 dsx4 dsx29 dsx12 dsx2'.split(
              ' ',
            ),
        },
      },
      { id: 10, client: 1, action: { do: 'pause', milliseconds: 3207 } },
      {
        id: 11,
        client: 4,
        action: { do: 'dirac', dirac: { kind: 'add', rse: 'SIM_B', lfns: ['/xdirac/xdirac/s0/t0/u1/f2'] } },
      },
      {
        id: 16,
        client: 4,
        action: { do: 'fill', name: 'ds1', children: 'b12 b11 b24 b3 b9 b32 b10 b44 b26 b13 b19'.split(' ') },
      },
      {
        id: 18,
        client: 0,
        action: { do: 'dirac', dirac: { kind: 'add', rse: 'SIM_HOME', lfns: ['/xdirac/xdirac/s0/t0/u0/f0'] } },
      },
      { id: 20, client: 1, action: { do: 'set', names: ['b19'], key: 'events', value: 7 } },
    ],
  },
  {
    what: 'children that were just attached are refused as none, as the clock of the second process is some milliseconds behind',
    seed: 'end1.80',
    kinds: ['throttle', 'conflict', 'death', 'delay', 'stream lag', 'clock jump'],
    isSmall: true,
    steps: [
      { id: 1, client: 0, action: { do: 'operate', operation: { kind: 'found' } } },
      {
        id: 4,
        client: 1,
        action: {
          do: 'operate',
          operation: { kind: 'settle on', placement: { by: 'rule', name: 'ds0' }, deletes: true },
        },
      },
      { id: 7, client: 0, action: { do: 'open', name: 'ds2', open: true } },
      { id: 8, client: 0, action: { do: 'set', names: ['b9'], key: 'events', value: 3 } },
      { id: 9, client: 0, action: { do: 'attach', name: 'ds2', children: ['f6', 'f0'], register: true } },
      { id: 10, client: 2, action: { do: 'attach', name: 'ct3', children: ['ct1', 'ct2'], register: false } },
      { id: 11, client: 4, action: { do: 'read', read: { kind: 'files', name: 'ds2', samples: ['b2', 'b7', 'b49'] } } },
      { id: 12, client: 2, action: { do: 'attach', name: 'ds3', children: ['f1', 'f9', 'f3'], register: true } },
      {
        id: 13,
        client: 4,
        action: { do: 'read', read: { kind: 'meta', samples: ['ct0', 'b5', 'f9'], key: 'datatype' } },
      },
      {
        id: 14,
        client: 0,
        action: { do: 'read', read: { kind: 'files', name: 'ds0', samples: ['b3', 'b38', 'b41'] } },
      },
      { id: 15, client: 4, action: { do: 'empty', name: 'ds3', count: 3 } },
      {
        id: 16,
        client: 1,
        action: { do: 'read', read: { kind: 'meta', samples: ['ct0', 'f2', 'ds1'], key: 'flavour' } },
      },
      {
        id: 17,
        client: 0,
        action: { do: 'fill', name: 'ds4', children: 'b11 b28 b31 b26 b15 b3 b21 b16 b39 b44 b24 b34 b19'.split(' ') },
      },
      {
        id: 20,
        client: 0,
        action: {
          do: 'fill',
          name: 'ds3',
          children: 'b48 b13 b33 b27 b8 b9 b2 b44 b37 b34 b4 b39 b49 b28 b14 b0'.split(' '),
        },
      },
      { id: 21, client: 5, action: { do: 'attach', name: 'ds4', children: ['f6', 'f9'], register: true } },
      {
        id: 24,
        client: 0,
        action: { do: 'read', read: { kind: 'content', name: 'ct0', samples: ['ct3', 'ds3', 'ct2'] } },
      },
      {
        id: 25,
        client: 2,
        action: {
          do: 'attach',
          name: 'ds4',
          children: 'b23 b5 b18 b41 b4 b13 b21 b38 b1 b30 b2 b22 b35 b26 b3'.split(' '),
          register: true,
        },
      },
      {
        id: 28,
        client: 2,
        action: { do: 'expiring', expiring: { kind: 'make', name: 'xc2', type: 'CONTAINER', lifetime: 206 } },
      },
      { id: 30, client: 4, action: { do: 'empty', name: 'ds4', count: 3 } },
      { id: 31, client: 4, action: { do: 'set', names: ['f6'], key: 'events', value: 7 } },
      {
        id: 32,
        client: 5,
        action: { do: 'fill', name: 'ds3', children: 'b4 b23 b29 b37 b41 b26 b45 b24 b33 b36 b8 b27'.split(' ') },
      },
      {
        id: 36,
        client: 4,
        action: { do: 'read', read: { kind: 'parents', name: 'f4', samples: ['ds1', 'ds0', 'ds3'] } },
      },
      { id: 37, client: 4, action: { do: 'detach', name: 'ct2', children: ['ct3'] } },
      { id: 38, client: 1, action: { do: 'empty', name: 'ds3', count: 14 } },
    ],
  },
];
