/** The names in one user's request do not change those in the request of another. */
import { describe, expect, it } from 'vitest';

import { newDidSetup } from '../support/dids.ts';

const { alice, at, add } = await newDidSetup();

/** Texts of free metadata: names that Python and JavaScript write with escapes, each after one that it was taken for. */
const pairs = [
  [String.raw`{"b":1,"\\":1}`, String.raw`{"b": 2, "\"": 2}`],
  [String.raw`{"a":1,"gr\\u0":1}`, String.raw`{"a": 1, "gr\u00f6\u00dfe": 2}`],
  [String.raw`{"a":1,"\\u65":1}`, String.raw`{"a": 1, "\u65e5\u672c\u8a9e\u65e5": 2}`],
] as const;

describe('metadata whose names are written with escapes', () => {
  it.each(pairs)('are stored and answered as they are, after %s: %s', async (earlier, later) => {
    const [first, second] = [await add('DATASET'), await add('DATASET')];
    for (const [name, value] of [
      [first, earlier],
      [second, later],
    ] as const) {
      const answer = await alice.post(at(name, '/meta'), undefined, { rawBody: `{"meta":{"note":${value}}}` });
      expect(answer.status).toBe(201);
      expect((await alice.post(at(name, '/meta'), undefined, { rawBody: `{"meta":${value}}` })).status).toBe(201);
    }
    const { text } = await alice.get(at(second, '/meta?plugin=JSON'));
    expect(text).toContain(`"note": ${later}`);
    for (const member of later.slice(1, -1).split(', ')) expect(text).toContain(member);
  });
});
