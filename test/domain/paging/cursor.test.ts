import { afterEach, describe, expect, it, vi } from 'vitest';

import type * as Cursors from '../../../lib/domain/paging/cursor.ts';
import { newProcess } from '../../support/new-process.ts';

const refused = { name: 'InvalidObject' };

/** Loads the module in a new process with this key. */
async function withKey(key: string) {
  vi.stubEnv('TOKEN_KEY', key.repeat(40));
  return newProcess()<typeof Cursors>('lib/domain/paging/cursor.ts');
}

describe('cursors', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('contain any position and are valid for one list', async () => {
    const { openCursor, sealCursor } = await withKey('a');
    for (const position of [[], [''], ['a', 'b'], ['\u0000', '\u{1F434}"\\', 'x'.repeat(960)]]) {
      const cursor = await sealCursor('list', position);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(await openCursor('list', cursor)).toEqual(position);
      await expect(openCursor('another', cursor)).rejects.toMatchObject(refused);
    }
  });

  it('are valid in every process with the same key, and in none with another one', async () => {
    const cursor = await (await withKey('a')).sealCursor('list', ['x']);
    expect(await (await withKey('a')).openCursor('list', cursor)).toEqual(['x']);
    await expect((await withKey('b')).openCursor('list', cursor)).rejects.toMatchObject(refused);
  });

  it('are refused in a non-canonical base64url form', async () => {
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
