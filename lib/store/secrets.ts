import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** Reads a secret text from Secrets Manager. */
export async function readSecret(id: string): Promise<string> {
  const { SecretString } = await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId: id }));
  if (SecretString === undefined) throw new Error(`the secret ${id} holds no text`);
  return SecretString;
}
