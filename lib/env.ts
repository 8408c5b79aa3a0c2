/** Reads a required variable of the environment. */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`environment variable ${name} is not set`);
  return value;
}

/** Every environment variable that Dapple reads. Each is read on use, so that a host can set it before. */
export const env = {
  /** Name of the table. */
  get tableName(): string {
    return required('TABLE_NAME');
  },
  /** Name of the policy, or the path of its file; set on a laptop. */
  get policy(): string | undefined {
    return process.env['POLICY'] || undefined;
  },
  /** `stream` if the platform streams answers, `buffer` if it collects them. */
  get responseMode(): 'stream' | 'buffer' {
    return process.env['RESPONSE_MODE'] === 'stream' ? 'stream' : 'buffer';
  },
  /**
   * Whether a streamed answer without a body gets a line feed as one, and none is 304: some accounts of AWS are reported to keep the
   * connection of an empty stream open until the function's time limit.
   */
  get fillsEmptyStreams(): boolean {
    return process.env['EMPTY_STREAMS'] === 'fill';
  },
  /** Whether streamed answers are compressed for clients that accept it. */
  get compresses(): boolean {
    return process.env['COMPRESSION'] !== 'off';
  },
  /** Whether streamed answers carry the media type that marks status and headers for AWS's function URLs. */
  get marksStreams(): boolean {
    return process.env['STREAM_MARK'] === 'on';
  },
  /** The path of a custom domain name below which the API is, such as `/rucio`; empty: the root. */
  get basePath(): string {
    return process.env['BASE_PATH'] ?? '';
  },
  /** Whether each request's record makes CloudWatch count it by operation. */
  get countsRequests(): boolean {
    return process.env['REQUEST_METRICS'] === 'on';
  },
  /** The signing key of tokens in base64; set by the local server. */
  get tokenKey(): string | undefined {
    return process.env['TOKEN_KEY'];
  },
  /** Secrets Manager id of the signing key of tokens; set when deployed. */
  get tokenKeySecretId(): string {
    return required('TOKEN_KEY_SECRET_ID');
  },
  /** File with the registrations at OpenID providers; set on a laptop. */
  get oidcClientsFile(): string | undefined {
    return process.env['OIDC_CLIENTS_FILE'] || undefined;
  },
  /** Secrets Manager id of the registrations at OpenID providers; set when deployed, for the function of log-ins. */
  get oidcClientsSecretId(): string | undefined {
    return process.env['OIDC_CLIENTS_SECRET_ID'] || undefined;
  },
  /** File with the credentials of RSEs; set on a laptop. */
  get rseCredentialsFile(): string | undefined {
    return process.env['RSE_CREDENTIALS_FILE'] || undefined;
  },
  /** Secrets Manager id of the credentials of RSEs; set when deployed, for the functions that sign URLs. */
  get rseCredentialsSecretId(): string | undefined {
    return process.env['RSE_CREDENTIALS_SECRET_ID'] || undefined;
  },
  /**
   * The trusted OpenID issuers, from `OIDC_ISSUERS`: URLs exactly as in the claim `iss`, separated by blanks. After a
   * `#` follows the audience that its tokens must name (`rucio` if absent): `https://iam.example.org/
   * https://login.example.org/realms/x#dapple`.
   */
  get oidcIssuers(): readonly TrustedIssuer[] {
    return (process.env['OIDC_ISSUERS'] ?? '').split(' ').filter(Boolean).map(readIssuer);
  },
  /** Cost parameter N of scrypt for new passwords. Tests use less; a stack never sets it (test/infra). */
  get passwordRounds(): number {
    return Number(process.env['PASSWORD_ROUNDS'] || 2 ** 15);
  },
  /** The log-in of the first account as JSON, for the page; only the local server sets it. */
  get localLogin(): string | undefined {
    return process.env['LOCAL_LOGIN'] || undefined;
  },
  /** Whether files are deleted from storage: `on` with the option `reaper`. */
  get isReaping(): boolean {
    return process.env['REAPER'] === 'on';
  },
  /** Whether another function copies to RSEs with `mover=stream`: `on` with the option `streams`. */
  get isStreaming(): boolean {
    return process.env['STREAMS'] === 'on';
  },
  /** How many may read events at once, each in a function of its own; undefined: as many as like to. */
  get eventReaders(): number | undefined {
    return Number(process.env['EVENT_READERS']) || undefined;
  },
  /** Name of the event bus, if there is one. */
  get eventBusName(): string | undefined {
    return process.env['EVENT_BUS_NAME'] || undefined;
  },
  /** Name of the Lambda function, if there is one. */
  get functionName(): string | undefined {
    return process.env['AWS_LAMBDA_FUNCTION_NAME'] || undefined;
  },
  /** Origins whose pages may call (CORS), separated by blanks. */
  get corsOrigins(): readonly string[] {
    return (process.env['CORS_ORIGINS'] ?? '').split(' ').filter(Boolean);
  },
};

interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
}

function readIssuer(text: string): TrustedIssuer {
  const [issuer = '', audience] = text.split('#');
  return { issuer, audience: audience || 'rucio' };
}
