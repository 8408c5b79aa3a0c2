import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

import { getTokenKeys, type TokenKey } from '../tokens/token-keys.ts';

const algorithm = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

/** Encrypts a secret for the table, so that who reads the table cannot use it. */
export async function seal(secret: string): Promise<string> {
  const { signing } = await getTokenKeys();
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, sealingKey(signing), iv);
  const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${signing.id}.${sealed.toString('base64url')}`;
}

/** Decrypts a sealed secret; undefined if its key has been replaced since. */
export async function unseal(text: string): Promise<string | undefined> {
  const [keyId, encoded = ''] = text.split('.');
  const { accepted } = await getTokenKeys();
  const key = accepted.find(({ id }) => id === keyId);
  if (key === undefined) return undefined;
  const sealed = Buffer.from(encoded, 'base64url');
  const decipher = createDecipheriv(algorithm, sealingKey(key), sealed.subarray(0, ivBytes));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8');
}

/** The key of tokens itself only signs. */
const sealingKey = ({ bytes }: TokenKey) => createHmac('sha256', bytes).update('oidc seal').digest();
