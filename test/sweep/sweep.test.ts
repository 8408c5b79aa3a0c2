/**
 * A fault at each call to the table of every operation, one at a time: the answer must be true, and a repeat of the request must
 * reach the wanted state. `npm test` tries one case of some requests that write, chosen by `SWEEP_SEED`, `npm run test:long` one of
 * each of them; `npm run docs -- sweep` tries all cases of all requests and writes docs/sweep.md.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { Random } from '../simulate/random.ts';
import { volumeOf } from '../support/volume.ts';
import { type Case, type Fault, faults, listSubjects, type Subject, Sweep } from './sweep.ts';
import { writeTable } from './table.ts';

const everything = process.env['SWEEP'] === 'all';
/** Fixed; `npm run docs -- sweep` tries all cases. */
const seed = Number(process.env['SWEEP_SEED'] || 1);

/** All cases take 40 minutes of one processor, which others may use, too. */
const maxSweepMs = 4 * 3_600_000;

/** Requests tried in one deployment. */
const requestsPerDeployment = 15;

it(
  `operations answer truly and can be repeated after a fault at a call (SWEEP_SEED=${seed})`,
  async () => {
    const subjects = everything ? listSubjects() : drawSubjects();
    const cases: Case[] = [];
    for (let start = 0; start < subjects.length; start += requestsPerDeployment) {
      const some = subjects.slice(start, start + requestsPerDeployment);
      cases.push(...(await Sweep.run((sweep) => sweep.try(some, everything ? () => true : chooseOne))));
    }
    if (everything) writeFileSync(join(import.meta.dirname, '../../docs/sweep.md'), writeTable(cases));
    console.log(`sweep: ${subjects.length} requests, ${cases.length} cases, SWEEP_SEED=${seed}`);
    const unexpected = cases.filter(({ flaw }) => flaw !== undefined);
    expect(unexpected.map(({ subject: { id, index }, call, fault, flaw }) => [id, index, call, fault, flaw])).toEqual(
      [],
    );
  },
  maxSweepMs,
);

/** Some of the requests that write, evenly from all groups. */
function drawSubjects(): Subject[] {
  const writing = listSubjects().filter(({ method }) => method !== 'GET');
  const stride = Math.ceil(writing.length / volumeOf('sweptRequests'));
  return writing.filter((_subject, index) => index % stride === seed % stride);
}

/** One of the first calls, with one of the faults. */
function chooseOne({ id, index }: Subject, call: number, fault: Fault): boolean {
  const random = new Random(`${seed} ${id} ${index}`);
  const chosen = 1 + random.below(3);
  return call === chosen && fault === random.pick(faults);
}
