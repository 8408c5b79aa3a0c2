/** A policy that is wrong does not start a server. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { findPolicyFlaws } from '../../lib/policy/find-policy-flaws.ts';
import { policyNames, readPolicy } from '../../lib/policy/read-policy.ts';
import { startServerProcess } from '../support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'policy-'));
afterAll(() => rmSync(folder, { recursive: true }));

let written = 0;

/** Writes a policy that differs from the generic one by some lines, the first of which is the fourth. */
function write(...lines: readonly string[]): string {
  const file = join(folder, `wrong-${(written += 1)}.ts`);
  const head = ['// A policy', '', `export default { name: 'wrong', about: 'x', source: 'x',`];
  writeFileSync(file, [...head, ...lines, '};', ''].join('\n'));
  return file;
}

describe('a policy', () => {
  it('of every file comes with Dapple', () => {
    const files = readdirSync(join(import.meta.dirname, '../../policies')).filter(
      (file) => file.endsWith('.ts') && file !== 'index.ts',
    );
    expect(files.map((file) => file.replace(/\.ts$/, '')).toSorted()).toEqual(policyNames);
  });

  it("in a file of one's own need not say what is as without a policy", async () => {
    const file = join(folder, 'small.ts');
    writeFileSync(file, `export default { name: 'small', about: 'x', source: 'x', activities: ['Debug'] };\n`);
    expect(await readPolicy(file)).toMatchObject({ activities: ['Debug'], defaultPath: 'hash' });
  });

  it.each(policyNames)('that comes with Dapple is right: %s', async (name) => {
    const policy = await readPolicy(name);
    expect(findPolicyFlaws(policy)).toEqual([]);
    expect(policy).toMatchObject({ name });
    expect(policy.source).not.toBe('');
  });

  it.each<[string, string[], number, string]>([
    ['with a right to no action', [`rights: { fly: 'root' },`], 4, 'rights.fly: there is no such action'],
    ['with an unknown test', [`rights: { add_rse: { owner: 'x' } },`], 4, `rights.add_rse: 'owner' is no test`],
    [
      'with a test of an RSE that nobody knows',
      [`rights: { add_scope: { listedIn: { attribute: 'x' } } },`],
      4,
      `rights.add_scope: 'listedIn' has no RSE to look at`,
    ],
    [
      'with a negation that would let everybody in',
      [`rights: { add_scope: { not: 'own account' } },`],
      4,
      `rights.add_scope: 'not' goes with has`,
    ],
    ['with a broken pattern', [`scope: { pattern: '(' },`], 4, 'scope: the pattern is no regular expression'],
    [
      'with a pattern that takes for ever',
      ['lists: { created: 1, named: 1 },', String.raw`rse: { pattern: '^([A-Z])+((([A-Za-z0-9]+))*(-)?)*$' },`],
      5,
      'rse: the pattern',
    ],
    [
      'with names that no key can hold',
      [`did: { pattern: '^.*$', longest: 501 },`],
      4,
      'did: longest is no whole number from 1 to 500',
    ],
    ['without activities', ['activities: [],'], 4, 'activities: there is none'],
    ['with an activity that cannot be shown', [`activities: ['a\\n'],`], 4, "activities: 'a\n' does not match"],
    [
      'with lists that are too long',
      ['lists: {', 'created: 1,', 'named: 1e9,', '},'],
      6,
      'lists.named: it is no whole number',
    ],
    [
      'with an unknown value in a template',
      [`paths: {`, `own: '{scop}/{name}',`, '},', `defaultPath: 'own',`],
      5,
      'paths.own: {scop} is none of {scope}, {name}',
    ],
    ['with a default that is not there', [`defaultPath: 'other',`], 4, 'defaultPath: it is none of paths'],
    ['with a member that means nothing', [`activites: ['Debug'],`], 4, 'activites: there is no such member'],
    [
      'with a scope rule that is a template',
      [`scopeOfName: { dirac: '{name}' },`],
      4,
      'scopeOfName.dirac: it is no function',
    ],
  ])('%s is refused with the line and the reason', async (_what, lines, line, reason) => {
    const file = write(...lines);
    await expect(readPolicy(file)).rejects.toThrow(`${file}:${line}: ${reason}`);
  });

  it('of no name is refused with the names that there are', async () => {
    await expect(readPolicy('cmss')).rejects.toThrow(/there is no policy cmss: name one of atlas, belleii, cms,/);
    await expect(readPolicy('./none.ts')).rejects.toThrow(/there is no policy .\/none.ts/);
  });

  it('that cannot be read is refused with what node says', async () => {
    await expect(readPolicy(write('scope: {'))).rejects.toThrow(/cannot be read: /);
  });

  it('that is wrong starts no server', async () => {
    const file = write(`defaultPath: 'other',`);
    const starting = startServerProcess(['--in-memory', '--policy', file]);
    await expect(starting).rejects.toThrow(`${file}:4: defaultPath: it is none of paths`);
  });
});
