import { describe, expect, it } from 'vitest';

import { findFileCycles, findFolderCycles, findForbidden } from './find-violations.ts';
import { forbiddenImports } from './folder-rules.ts';

describe('the check of folders', () => {
  it('finds folders that import each other, also by way of others, and the folder above', () => {
    const cycle = [
      { from: 'lib/a/one.ts', to: 'lib/b/two.ts' },
      { from: 'lib/b/three.ts', to: 'lib/b/c/four.ts' },
      { from: 'lib/b/c/five.ts', to: 'lib/a/six.ts' },
    ];
    const outside = [
      { from: 'lib/x/seven.ts', to: 'lib/a/one.ts' },
      { from: 'lib/a/one.ts', to: 'lib/a/six.ts' },
      { from: 'lib/b/two.ts', to: 'lib/leaf.ts' },
    ];
    expect(findFolderCycles([...cycle, ...outside])).toEqual([
      'lib/a -> lib/b is in a cycle: lib/a/one.ts imports lib/b/two.ts',
      'lib/b -> lib/b/c is in a cycle: lib/b/three.ts imports lib/b/c/four.ts',
      'lib/b/c -> lib/a is in a cycle: lib/b/c/five.ts imports lib/a/six.ts',
    ]);
    expect(findFolderCycles([...cycle.slice(1), ...outside])).toEqual([]);
  });

  it('finds files that import each other', () => {
    const cycle = [
      { from: 'a/one.ts', to: 'a/two.ts' },
      { from: 'a/two.ts', to: 'b/three.ts' },
      { from: 'b/three.ts', to: 'a/one.ts' },
    ];
    const between = { from: 'a/one.ts', to: 'c/four.ts' };
    const other = [
      { from: 'c/four.ts', to: 'c/five.ts' },
      { from: 'c/five.ts', to: 'c/four.ts' },
    ];
    expect(findFileCycles([...cycle, between, ...other])).toEqual(
      [...cycle, ...other].map(({ from, to }) => `${from} -> ${to} is in a cycle`),
    );
    expect(findFileCycles([...cycle.slice(1), between])).toEqual([]);
  });

  it.each([
    ['lib/domain/dids/did-draft.ts', 'lib/operations/dids/get-did.ts'],
    ['lib/operations/rules/get-rule.ts', 'lib/operations/dids/get-did.ts'],
    ['lib/domain/locks/release.ts', 'lib/background/workers.ts'],
    ['lib/store/open-store.ts', 'lib/domain/values/ids.ts'],
    ['lib/operations/dids/get-did.ts', 'lib/http/router.ts'],
    ['lib/domain/dids/did-draft.ts', 'lib/store/keys/did-keys.ts'],
    ['lib/store/open-store.ts', 'lib/store/portable/scan-items.ts'],
    ['lib/domain/dids/did-draft.ts', '@aws-sdk/client-dynamodb'],
    ['functions/dids.ts', 'local/server.ts'],
    ['local/engine/src/engine.ts', 'aws-lambda'],
  ])('forbids that %s imports %s', (from, to) => {
    expect(findForbidden([{ from, to }], forbiddenImports)).toHaveLength(1);
  });

  it('lets an operation import its own group, and the domain', () => {
    const from = 'lib/operations/rules/get-rule.ts';
    const allowed = ['lib/operations/rules/rule-wishes.ts', 'lib/domain/rules/find-rule.ts'];
    expect(
      findForbidden(
        allowed.map((to) => ({ from, to })),
        forbiddenImports,
      ),
    ).toEqual([]);
  });
});
