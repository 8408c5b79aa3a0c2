/**
 * Random operations on the service and on a model in memory, which must agree on every answer. `MODEL_SEED`
 * sets the seed. A failure prints its seed and a shortened history.
 */
import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { afterAll, describe, it } from 'vitest';

import { asRoot, expectCreated, newScope, uniqueName } from '../support/server.ts';
import { patience, volumeOf, seedFrom } from '../support/volume.ts';
import { Model, type Outcome } from './model.ts';
import { actual, expected, anyOperation, type Operation, type TestScope } from './operations.ts';

const total = volumeOf('modelOperations');
const seed = seedFrom('MODEL_SEED');
const walkers = 4;
const length = Math.min(250, Math.ceil(total / walkers));
const histories = Math.ceil(total / walkers / length);

const done = new Map<string, number>();
afterAll(() => {
  const sum = [...done.values()].reduce((all, count) => all + count, 0);
  console.log(
    `${sum} operations, MODEL_SEED=${seed}: ${Array.from(done, (entry) => entry.join(' '))
      .toSorted()
      .join(', ')}`,
  );
});

describe(`the catalogue and its model agree (MODEL_SEED=${seed})`, () => {
  it.concurrent.each(Array.from({ length: walkers }, (_value, walker) => seed + walker))(
    `on ${histories} histories of ${length} operations, seed %i`,
    async (ownSeed) => {
      const history = fc.array(anyOperation, { minLength: length, maxLength: length, size: 'max' });
      for (const operations of fc.sample(history, { numRuns: histories, seed: ownSeed })) {
        const difference = await findDifference(operations, count);
        if (difference === undefined) continue;
        throw new Error(describeDifference(await shorten(difference)));
      }
    },
    patience(600_000),
  );
});

interface Difference {
  readonly answer: Outcome;
  readonly wanted: Outcome;
  /** The operations up to the first difference. */
  readonly history: readonly Operation[];
}

function describeDifference({ answer, wanted, history: operations }: Difference): string {
  const lines = operations.map((one) => `  ${JSON.stringify(one)}`);
  return [...lines, `answered ${JSON.stringify(answer)}`, `expected ${JSON.stringify(wanted)}`].join('\n');
}

const count = ({ do: kind }: Operation, wanted: Outcome) => {
  const key = `${kind}:${typeof wanted === 'object' && 'error' in wanted ? wanted.error : 'done'}`;
  done.set(key, (done.get(key) ?? 0) + 1);
};

/** Runs a history in a new scope until service and model disagree. */
async function findDifference(
  operations: readonly Operation[],
  note: (operation: Operation, wanted: Outcome) => void = () => {},
): Promise<Difference | undefined> {
  const place: TestScope = { client: asRoot(), scope: await newScope(), rse: uniqueName('rse').toUpperCase() };
  expectCreated(await place.client.post(`/rses/${place.rse}`));
  const model = new Model();
  for (const [index, one] of operations.entries()) {
    const answer = await actual(place, one);
    const wanted = expected(model, one);
    note(one, wanted);
    if (!isDeepStrictEqual(answer, wanted)) return { answer, wanted, history: operations.slice(0, index + 1) };
  }
  return undefined;
}

/** Leaves out smaller and smaller parts of a history while service and model still disagree. */
async function shorten(found: Difference): Promise<Difference> {
  let shortest = found;
  for (let run = Math.ceil(found.history.length / 2); run >= 1; run = run === 1 ? 0 : Math.ceil(run / 2)) {
    for (let start = 0; start < shortest.history.length - 1;) {
      const fewer = shortest.history.toSpliced(start, Math.min(run, shortest.history.length - 1 - start));
      const again = await findDifference(fewer);
      if (again === undefined) start += run;
      else shortest = again;
    }
  }
  return shortest;
}
