/** Reads a variable of the environment that must be there. */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`environment variable ${name} is not set`);
  return value;
}

/** Everything that Dapple reads from its environment, read on use so that a host can set it before. */
export const env = {
  /** Name of the one table. */
  get tableName(): string {
    return required('TABLE_NAME');
  },
  /** `stream` where the platform streams answers, `buffer` where it cannot. */
  get responseMode(): 'stream' | 'buffer' {
    return process.env['RESPONSE_MODE'] === 'stream' ? 'stream' : 'buffer';
  },
  /** Base64 of the key that signs tokens; on a laptop. */
  get tokenKey(): string | undefined {
    return process.env['TOKEN_KEY'];
  },
  /** Secrets Manager id of the key that signs tokens; when deployed. */
  get tokenKeySecretId(): string {
    return required('TOKEN_KEY_SECRET_ID');
  },
  /** Origins whose browsers may call, separated by blanks. */
  get corsOrigins(): readonly string[] {
    return (process.env['CORS_ORIGINS'] ?? '').split(' ').filter(Boolean);
  },
};
