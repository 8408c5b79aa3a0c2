import * as z from 'zod/mini';

import { caseless } from './account.ts';
import { looseFlag, shortText } from './common.ts';

/** The types of identities in Rucio. */
export const identityTypes = ['X509', 'GSS', 'USERPASS', 'SSH', 'SAML', 'OIDC'] as const;
export type IdentityType = (typeof identityTypes)[number];

/** An identity's type, case-insensitive. */
const identityType = caseless(
  identityTypes,
  'ValueError',
  () => `Invalid identity type. Valid types are: [${identityTypes.map((type) => `'${type}'`).join(', ')}]`,
);

/** Body of the removal of an identity from an account. */
export const namedIdentity = z.object({ identity: z.string().check(z.minLength(1)), authtype: identityType });
export type NamedIdentity = z.output<typeof namedIdentity>;

/** Body of the addition of an identity to an account. */
export const newIdentity = z.extend(namedIdentity, {
  email: shortText,
  password: z.nullish(z.string()),
  default: looseFlag('default'),
});
export type NewIdentity = z.output<typeof newIdentity>;

const requiredParameter = (name: string) =>
  z
    ._default(z.string(), '')
    .check(
      z.refine((text) => text !== '', { error: `${name} parameter is required.`, params: { exception: 'ValueError' } }),
    );

/** Query for the accounts of an identity. */
export const identityQuery = z.object({
  identity_key: requiredParameter('identity_key'),
  type: z.pipe(requiredParameter('type'), identityType),
});

/** A line of an account's identities. */
export const identityLine = z.object({ type: z.enum(identityTypes), identity: z.string(), email: z.string() });
export type IdentityLine = z.input<typeof identityLine>;
