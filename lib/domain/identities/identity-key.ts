import { type IdentityType, identityTypes } from '../../contract/schemas/identity.ts';
import { fail } from '../../errors.ts';
import { type IdentityKey, isIdentityText } from '../../store/entities/identity.ts';
import { isWeakKey } from './ssh-key.ts';

/**
 * Reads an identity's type, in any case.
 *
 * @throws ValueError (400).
 */
export function parseIdentityType(text: string): IdentityType {
  const type = identityTypes.find((known) => known === text.toUpperCase());
  const valid = identityTypes.map((known) => `'${known}'`).join(', ');
  return type ?? fail('ValueError', `Invalid identity type. Valid types are: [${valid}]`);
}

/** @throws InvalidObject (400) when the identity is too long for a key of the table (some 900 bytes), or empty. */
export function requireIdentityText(text: string): void {
  if (!isIdentityText(text)) fail('InvalidObject', 'Problem validating identity: it is empty or too long');
}

/** @throws InvalidObject (400) as {@link requireIdentityText}, and for an SSH key that can be computed by others. */
export function requireSoundIdentity({ type, identity }: IdentityKey): void {
  requireIdentityText(identity);
  if (type === 'SSH' && isWeakKey(identity)) {
    fail('InvalidObject', 'Problem validating identity: an RSA key needs 2,048 bits at least');
  }
}
