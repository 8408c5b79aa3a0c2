import { env } from '../../env.ts';
import { readSecret } from '../../store/secrets.ts';

let key: Promise<Uint8Array> | undefined;

/** The key that signs tokens: from the environment on a laptop, from Secrets Manager when deployed; read once. */
export function signingKey(): Promise<Uint8Array> {
  key ??= load().catch((error: unknown) => {
    key = undefined;
    throw error;
  });
  return key;
}

async function load(): Promise<Uint8Array> {
  const text = env.tokenKey ?? (await readSecret(env.tokenKeySecretId));
  if (text.length < 32) throw new Error('the key that signs tokens is shorter than 32 characters');
  return new TextEncoder().encode(text);
}
