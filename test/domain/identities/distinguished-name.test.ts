import { describe, expect, it } from 'vitest';

import { spellingsOf, withoutProxies } from '../../../lib/domain/identities/distinguished-name.ts';

describe('the subject of a certificate', () => {
  it.each([
    ['/DC=org/CN=Jane/CN=proxy', '/DC=org/CN=Jane'],
    ['/DC=org/CN=Jane/CN=limited proxy/CN=1234', '/DC=org/CN=Jane'],
    ['CN=1234,CN=Jane,DC=org', 'CN=Jane,DC=org'],
    ['CN=proxy, CN=1234, CN=Jane, DC=org', 'CN=Jane,DC=org'],
    ['DC=org,CN=Jane,CN=1234', 'DC=org,CN=Jane'],
    ['C=CH,O=Example, Inc.,CN=Jane,CN=limited proxy', 'C=CH,O=Example, Inc.,CN=Jane'],
    ['/DC=ch/CN=jane/CN=712345/CN=Jane Doe', '/DC=ch/CN=jane/CN=712345/CN=Jane Doe'],
    ['/DC=org/CN=host/www.example.org', '/DC=org/CN=host/www.example.org'],
    ['CN=Jane', 'CN=Jane'],
  ])('%s belongs to %s', (dn, user) => expect(withoutProxies(dn)).toBe(user));

  it.each(['/DC=org/CN=Jane', 'CN=Jane,DC=org', 'DC=org,CN=Jane', '/DC=org/CN=Jane/CN=99', 'CN=99,CN=Jane,DC=org'])(
    'is found under each of its spellings: %s',
    (dn) => expect(spellingsOf(dn)).toEqual(expect.arrayContaining(['/DC=org/CN=Jane', 'CN=Jane,DC=org'])),
  );
});
