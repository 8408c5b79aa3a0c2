import { afterEach, describe, expect, it, vi } from 'vitest';

import type * as Cursors from '../../../lib/domain/paging/cursor.ts';
import { newProcess } from '../../support/new-process.ts';

const refused = { name: 'InvalidObject' };

/** The module as a process finds it that has this key. */
async function withKey(key: string) {
  vi.stubEnv('TOKEN_KEY', key.repeat(40));
  return newProcess()<typeof Cursors>('lib/domain/paging/cursor.ts');
}

describe('cursors', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('hold any position, for one list', async () => {
    const { openCursor, sealCursor } = await withKey('a');
    for (const position of [[], [''], ['a', 'b'], ['\u0000', '\u{1F434}"\\', 'x'.repeat(960)]]) {
      const cursor = await sealCursor('list', position);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(await openCursor('list', cursor)).toEqual(position);
      await expect(openCursor('another', cursor)).rejects.toMatchObject(refused);
    }
  });

  it('are good in every process with the same key, and in none with another one', async () => {
    const cursor = await (await withKey('a')).sealCursor('list', ['x']);
    expect(await (await withKey('a')).openCursor('list', cursor)).toEqual(['x']);
    await expect((await withKey('b')).openCursor('list', cursor)).rejects.toMatchObject(refused);
  });

  it('are no texts that only mean the same bytes', async () => {
    const { openCursor, sealCursor } = await withKey('a');
    const cursor = await sealCursor('list', ['x']);
    for (const text of [
      `${cursor}=`,
      ` ${cursor}`,
      `${cursor}\n`,
      cursor.replaceAll('_', '/').replaceAll('-', '+').concat('=='),
    ]) {
      await expect(openCursor('list', text)).rejects.toMatchObject(refused);
    }
  });
});
