import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { compareCounts, compareDataset, compareFolders } from './compare.ts';
import { contentOf, type Dataset, describeFile } from './model.ts';

const files = ['one', 'two'].map(describeFile);
const dataset: Dataset = {
  scope: 'data',
  name: 'run',
  files,
  rules: new Map(),
  thinned: new Set(),
  busy: false,
  ended: false,
};

describe('the datasets that a soak judges', () => {
  it.each([
    ['complete', dataset, files, []],
    ['lost', dataset, undefined, ['data:run is lost']],
    ['without a file', dataset, files.slice(1), [expect.stringMatching(/^data:run lacks one /)]],
    ['with another file', dataset, [...files, describeFile('three')], [expect.stringMatching(/^data:run has three /)]],
    [
      'with another checksum',
      dataset,
      [{ ...files[0]!, adler32: '0' }, files[1]!],
      [expect.stringMatching(/lacks/), expect.stringMatching(/has one \d+ 0 too/)],
    ],
    ['ended and gone', { ...dataset, ended: true }, undefined, []],
    ['ended and there', { ...dataset, ended: true }, files, ['data:run has ended, and is still there']],
  ] as const)('%s', (_case, wanted, found, faults) => expect(compareDataset(wanted, found)).toEqual(faults));
});

describe('the folders that a soak judges', () => {
  let folder: string;
  let path: string;
  const judge = () => compareFolders(new Map([[path, contentOf('one')]]), [folder]);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dapple-judge-'));
    mkdirSync(join(folder, 'data'));
    path = join(folder, 'data/one');
    writeFileSync(path, contentOf('one'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are right with every file and no other', () => expect(judge()).toEqual([]));
  it('lack a file that was deleted behind the back of the server', () => {
    rmSync(path);
    expect(judge()).toEqual([`${path} is lost`]);
  });
  it('have a file with other bytes', () => {
    writeFileSync(path, 'other');
    expect(judge()).toEqual([`${path} has another content`]);
  });
  it('have a file that was to be deleted', () => {
    writeFileSync(join(folder, 'old'), '');
    expect(judge()).toEqual([`${join(folder, 'old')} is not needed any more`]);
  });
});

it('names counts that are wrong', () => {
  const wanted = new Map([
    ['replicas', 2],
    ['transfers', 0],
    ['rules', 1],
  ]);
  expect(
    compareCounts(
      wanted,
      new Map([
        ['replicas', 3],
        ['rules', 1],
        ['histories', 9],
      ]),
    ),
  ).toEqual(['replicas: 3 instead of 2']);
  expect(
    compareCounts(
      wanted,
      new Map([
        ['transfers', 1],
        ['replicas', 2],
      ]),
    ),
  ).toEqual(['transfers: 1 instead of 0', 'rules: 0 instead of 1']);
});
