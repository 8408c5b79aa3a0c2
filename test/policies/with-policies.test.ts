/** What policies that come with Dapple allow, of one server for each. */
import { afterAll, describe } from 'vitest';

import { endTurns } from './server-in-turn.ts';
import { testCopies, testOwnedPath } from './suites/copies.ts';
import { testLists } from './suites/lists.ts';
import { testNames } from './suites/names.ts';
import { testRights } from './suites/rights.ts';

afterAll(endTurns);

describe('the policy cms', () => {
  testNames('cms');
  testLists('cms', 3_000, 30_000);
});
describe('rights of the policy', testRights.cms);

describe('the policy belleii', () => testNames('belleii'));
describe('with the policy belleii', () => testCopies('belleii'));
describe('a path that is the name', testOwnedPath);
describe('rights of the policy', testRights.belleii);

describe('the policy lsst', () => testNames('lsst'));
describe('with the policy lsst', () => testCopies('lsst'));
describe('rights of the policy', testRights.lsst);

describe('the policy eic', () => testNames('eic'));
describe('the policy pic', () => testNames('pic'));
describe('the policy icecube', () => testNames('icecube'));

describe('the policy generic', () => testLists('generic', 1_000, 1_000));
describe('with the policy generic', () => testCopies('generic'));
