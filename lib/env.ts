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
  /**
   * The OpenID issuers whose tokens are accepted, from `OIDC_ISSUERS`: URLs exactly as in the claim `iss`, separated by
   * blanks, each with the audience that its tokens must name after a `#` (`rucio` where there is none):
   * `https://iam.example.org/ https://login.example.org/realms/x#dapple`.
   */
  get oidcIssuers(): readonly { readonly issuer: string; readonly audience: string }[] {
    return (process.env['OIDC_ISSUERS'] ?? '')
      .split(' ')
      .filter(Boolean)
      .map((text) => {
        const [issuer = '', audience] = text.split('#');
        return { issuer, audience: audience || 'rucio' };
      });
  },
  /** Rounds of hashing a new password, the N of scrypt; tests take fewer, a stack never says (test/infra). */
  get passwordRounds(): number {
    return Number(process.env['PASSWORD_ROUNDS'] || 2 ** 15);
  },
  /** The event bus that events go to; where there is one. */
  get eventBusName(): string | undefined {
    return process.env['EVENT_BUS_NAME'] || undefined;
  },
  /** Name of the function; where there is one. */
  get functionName(): string | undefined {
    return process.env['AWS_LAMBDA_FUNCTION_NAME'] || undefined;
  },
  /** Origins whose browsers may call, separated by blanks. */
  get corsOrigins(): readonly string[] {
    return (process.env['CORS_ORIGINS'] ?? '').split(' ').filter(Boolean);
  },
};
