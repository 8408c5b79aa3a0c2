import { describe, expect, it } from 'vitest';

import type { Recording } from './record-traces.ts';
import { Simulation } from './simulation.ts';
import type { Touch, Trace } from './touch.ts';

const runs = 20;
const empty: Trace = { touches: [], trips: 1 };

/** A recording of one operation, whose requests take what `touchesOf` says. */
function recordingOf(isWrite: boolean, touchesOf: (index: number) => readonly Touch[]): Recording {
  const operation = { what: 'an operation', isWrite, share: 1, run: async () => {} };
  const traces = Array.from({ length: runs }, (_none, index) => ({ touches: touchesOf(index), trips: 1 }));
  return { operations: [{ operation, traces }], background: [], start: empty, afterChange: empty };
}

const read = (pk: string, sk: string): Touch => ({ where: 'table', pk, sk, rru: 1, wru: 0 });
const write = (pk: string, sk: string, where = 'table'): Touch => ({ where, pk, sk, rru: 0, wru: 1 });

describe('the simulation of load', () => {
  it('serves 3,000 reads of one item a second, however long it is busy', () => {
    const step = new Simulation(recordingOf(false, () => [read('A', 'same')])).step(10_000, 0);
    expect(step.later.reads).toBeCloseTo(3_000, -1);
    expect(step.hottest.name).toBe('A / same');
    expect(step.hottest.load).toBeCloseTo(10_000 / 3_000, 1);
  });

  it('serves as many reads of copies as there are copies', () => {
    const step = new Simulation(recordingOf(false, (index) => [read(`A#${index % 4}`, 'same')])).step(11_000, 0);
    expect(step.later.reads).toBeCloseTo(11_000, -1);
  });

  it('splits a partition that is busy for ten minutes, if its keys are spread', () => {
    const spread = ['7', '2', '9', '4', '1', '8', '3', '6', '5', '0'];
    const step = new Simulation(recordingOf(true, (index) => [write('A', `${spread[index % 10]} ${index}`)])).step(
      0,
      2_000,
    );
    expect(step.first.writes).toBeCloseTo(1_000, -1);
    expect(step.later.writes).toBeCloseTo(2_000, -1);
  });

  it('does not gain from splits where new keys ascend', () => {
    const ascending = recordingOf(true, (index) => [write('A', String(index).padStart(3, '0'))]);
    expect(new Simulation(ascending).step(0, 2_000).later.writes).toBeCloseTo(1_000, -1);
  });

  it('takes what only one request names as spread over the table, which serves 4,000 writes at first', () => {
    const own = recordingOf(true, (index) => [write(`own ${index} of many`, 'item')]);
    const simulation = new Simulation(own);
    expect(simulation.step(0, 5_000).later.writes).toBeCloseTo(4_000, -1);
    expect(simulation.step(0, 5_000).later.writes).toBeCloseTo(5_000, -1);
  });

  it('holds writes of the table up where an index is full', () => {
    const indexed = recordingOf(true, (index) => [
      write(`own ${index} of many`, 'item'),
      { ...write('INDEX', ''), where: 'GSI1', sk: 'same' },
    ]);
    expect(new Simulation(indexed).step(0, 3_000).later.writes).toBeCloseTo(1_000, -1);
  });

  it('serves no more than the quotas of the account', () => {
    const own = recordingOf(false, (index) => [read(`own ${index} of many`, 'item')]);
    expect(new Simulation(own, { gateway: 2_000 }).step(5_000, 0).later.reads).toBeCloseTo(2_000, -1);
    const { functions, later } = new Simulation(own, { functions: 10 }).step(5_000, 0);
    expect(functions).toBeCloseTo(10, 0);
    expect(later.reads).toBeLessThan(2_000);
  });
});
