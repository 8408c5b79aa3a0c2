import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { compareRows, problemField } from '../../../moving/compare/compare-rows.ts';
import type { Finding } from '../../../moving/compare/finding.ts';
import { Report } from '../../../moving/compare/report.ts';
import { type Row, sortRows } from '../../../moving/rows/sorted-rows.ts';
import { volumeOf } from '../../support/volume.ts';

const count = volumeOf('mergedRows');
const rowsInMemory = Math.ceil(count * 0.4);

/** Compares two lists of rows. */
async function findingsOf(part: string, left: Iterable<Row>, right: Iterable<Row>): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'dapple-rows-'));
  try {
    const findings: Finding[] = [];
    const [one, other] = [left, right].map((rows) => sortRows(asList(rows), folder, rowsInMemory));
    for await (const finding of compareRows(part, one!, other!)) findings.push(finding);
    expect(readdirSync(folder)).toEqual([]);
    return findings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function* asList<T>(rows: Iterable<T>): AsyncGenerator<T> {
  yield* rows;
}

it('merges lists in any order and of more rows than it holds in memory, with names of any characters', async () => {
  const odd = ['a', 'a b', 'a!', 'a"b', 'é', '\u2028', '\t', '😀', '\uFFFD', 'a\\u0022', ''];
  const keys = [...odd, ...Array.from({ length: count }, (_value, n) => `file.${(n * 7919) % count}`)];
  const rows = keys.map((key) => ({ key, value: { key } }));
  const found = await findingsOf('any', rows, rows.toReversed());
  expect(found).toHaveLength(keys.length);
  expect(found.filter(({ kind }) => kind !== 'equal')).toEqual([]);
  expect(new Set(found.map(({ key }) => key))).toEqual(new Set(keys));
  const lost = await findingsOf(
    'any',
    rows,
    rows.filter(({ key }) => key !== 'file.777' && key !== '\u2028'),
  );
  expect(lost.filter(({ kind }) => kind !== 'equal').map(({ kind, key }) => [kind, key])).toEqual(
    expect.arrayContaining([
      ['left', 'file.777'],
      ['left', '\u2028'],
    ]),
  );
  expect(lost.filter(({ kind }) => kind !== 'equal')).toHaveLength(2);
});

it('takes a member that is missing and one that is null as the same, and integers of any size exactly', async () => {
  const compared = await findingsOf(
    'any',
    [{ key: 'a', value: { x: null, y: 9_007_199_254_740_993n } }],
    [{ key: 'a', value: { y: 9_007_199_254_740_993n } }],
  );
  expect(compared).toEqual([{ kind: 'equal', key: 'a' }]);
  const [other] = await findingsOf(
    'any',
    [{ key: 'a', value: { y: 9_007_199_254_740_993n } }],
    [{ key: 'a', value: { y: 9_007_199_254_740_992n } }],
  );
  expect(other).toMatchObject({ kind: 'different', fields: [{ field: 'y' }] });
});

it('counts decided differences apart, names their reason, and lets no other difference pass with them', async () => {
  const left = [
    { key: 'open', value: { did_type: 'DATASET', bytes: null, account: 'root' } },
    { key: 'wrong', value: { did_type: 'DATASET', bytes: 3 } },
    { key: 'file', value: { did_type: 'FILE', bytes: null } },
    { key: 'both', value: { did_type: 'DATASET', bytes: null, account: 'root' } },
  ];
  const right = [
    { key: 'open', value: { did_type: 'DATASET', bytes: 7, account: 'root' } },
    { key: 'wrong', value: { did_type: 'DATASET', bytes: 4 } },
    { key: 'file', value: { did_type: 'FILE', bytes: 7 } },
    { key: 'both', value: { did_type: 'DATASET', bytes: 7, account: 'bob' } },
  ];
  const found = await findingsOf('dids', left, right);
  expect(Object.fromEntries(found.map(({ key, kind }) => [key, kind]))).toEqual({
    open: 'decided',
    wrong: 'different',
    file: 'different',
    both: 'different',
  });
  const lines: string[] = [];
  const report = new Report({ json: false, decided: false, write: (line) => lines.push(line) });
  for (const finding of found) report.add('dids', finding);
  expect(report.end()).toBe(1);
  expect(lines.filter((line) => line.includes('open'))).toEqual([]);
  expect(lines.at(-1)).toMatch(/^decided: live-sizes, 2 times: /);
});

it('never counts as equal what a server cannot tell, and ends with 2 for it', async () => {
  const unreadable = { key: 'a', value: { [problemField]: '400' } };
  const found = await findingsOf('dids', [unreadable, { ...unreadable, key: 'b' }], [unreadable]);
  expect(found).toEqual([
    { kind: 'unreadable', key: 'a', side: 'both', problem: '400; 400' },
    { kind: 'unreadable', key: 'b', side: 'left', problem: '400' },
  ]);
  const report = new Report({ json: true, decided: false, write: () => undefined });
  for (const finding of found) report.add('dids', finding);
  expect(report.end()).toBe(2);
});
