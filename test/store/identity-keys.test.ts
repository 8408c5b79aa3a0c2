import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { identityKeys, identityOf } from '../../lib/store/keys/identity-keys.ts';
import { isEncodablePart, isKeyPart, lastPart } from '../../lib/store/keys/key-parts.ts';
import { unicodeText } from '../support/unicode-text.ts';
import { volumeOf } from '../support/volume.ts';

describe('keys of identities', () => {
  it('every text that fits can be read back out of its key', () => {
    fc.assert(
      fc.property(unicodeText({ minLength: 1, maxLength: 300 }), (identity) => {
        fc.pre(isEncodablePart(identity));
        const key = identityKeys.accountIdentity('alice', 'X509', identity);
        expect(identityOf(key)).toEqual({ type: 'X509', identity });
        expect(Buffer.byteLength(key.SK)).toBeLessThanOrEqual(1024);
        expect(lastPart(identityKeys.identityAccount('X509', identity, 'alice'))).toBe('alice');
      }),
      { numRuns: volumeOf('identityKeys') },
    );
  });

  it('two identities never share a partition', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, two) => {
        fc.pre(one !== two);
        expect(identityKeys.partition('SSH', one)).not.toBe(identityKeys.partition('SSH', two));
      }),
      { numRuns: volumeOf('identityKeys') },
    );
  });

  it('texts that no key can hold are recognised', () => {
    expect(isKeyPart('alice')).toBe(true);
    for (const text of ['', 'a#b', 'x'.repeat(961), 'é'.repeat(481)]) expect(isKeyPart(text)).toBe(false);
    expect(isEncodablePart('#'.repeat(320))).toBe(true);
    for (const text of ['', '#'.repeat(321), '%'.repeat(321)]) expect(isEncodablePart(text)).toBe(false);
  });
});
