/**
 * Rucio's exceptions by their names on the wire, with the status that Dapple answers unless a route declares another
 * one (spec/dids.md 1.11, spec/access.md 7). The last group are not classes of Rucio, but Rucio sends them.
 */
export const errorStatus = {
  RucioException: 500,
  AccessDenied: 401,
  AccountNotFound: 404,
  CannotAuthenticate: 401,
  CannotAuthorize: 401,
  ConfigNotFound: 404,
  ConfigurationError: 400,
  DatabaseException: 500,
  DataIdentifierAlreadyExists: 409,
  DataIdentifierNotFound: 404,
  DIDFilterSyntaxError: 400,
  Duplicate: 409,
  DuplicateContent: 409,
  DuplicateRule: 409,
  FileAlreadyExists: 409,
  FileConsistencyMismatch: 412,
  IdentityError: 400,
  InputValidationError: 400,
  InsufficientAccountLimit: 409,
  InsufficientTargetRSEs: 409,
  InvalidAccountType: 400,
  InvalidMetadata: 400,
  InvalidObject: 400,
  InvalidPath: 400,
  InvalidReplicationRule: 400,
  InvalidRSEExpression: 400,
  InvalidRuleWeight: 409,
  InvalidSourceReplicaExpression: 409,
  InvalidType: 400,
  InvalidValueForKey: 400,
  KeyNotFound: 404,
  LifetimeExceptionNotFound: 404,
  ManualRuleApprovalBlocked: 409,
  OpenDataDataIdentifierAlreadyExists: 409,
  OpenDataDataIdentifierNotFound: 404,
  OpenDataDuplicateDOI: 400,
  OpenDataDuplicateRecordID: 400,
  OpenDataError: 400,
  OpenDataInvalidState: 400,
  OpenDataInvalidStateUpdate: 400,
  ReplicaIsLocked: 423,
  ReplicaNotFound: 404,
  RequestNotFound: 404,
  ResourceTemporaryUnavailable: 503,
  RSEAttributeNotFound: 404,
  RSEFileNameNotSupported: 400,
  RSENotFound: 404,
  RSEOperationNotSupported: 404,
  RSEOverQuota: 409,
  RSEProtocolDomainNotSupported: 404,
  RSEProtocolNotSupported: 404,
  RSEProtocolPriorityError: 409,
  RSEWriteBlocked: 409,
  RuleNotFound: 404,
  RuleReplaceFailed: 409,
  ScopeNotFound: 404,
  SortingAlgorithmNotSupported: 400,
  SubscriptionDuplicate: 409,
  SubscriptionNotFound: 404,
  StagingAreaRuleRequiresLifetime: 409,
  UnsupportedAccountName: 400,
  UnsupportedKeyType: 400,
  UnsupportedMetadataPlugin: 400,
  UnsupportedOperation: 409,
  UnsupportedRequestedContentType: 406,
  UnsupportedStatus: 409,
  UnsupportedValueType: 400,
  Invalid: 400,
  JSONDecodeError: 400,
  KeyError: 400,
  MissingParameter: 400,
  NotImplementedError: 409,
  TypeError: 400,
  ValueError: 400,
  NotFound: 404,
  MethodNotAllowed: 405,
  IdempotencyKeyInUse: 409,
  IdempotencyKeyMismatch: 422,
  PreconditionFailed: 412,
  PayloadTooLarge: 413,
  TooManyRequests: 429,
} as const;

/** Class name of an error on the wire. */
export type ErrorName = keyof typeof errorStatus;

/** Extra response headers of an error, for example `Retry-After` or `Allow`. */
export type ErrorHeaders = Readonly<Record<string, string>>;

/**
 * An error for the caller: Rucio's exception class and message. The route declares the status; {@link errorStatus} is
 * its default.
 */
export class RucioError extends Error {
  override readonly name: ErrorName;
  /** Overrides the status, for the few answers whose status depends on more than the class. */
  readonly status: number | undefined;
  readonly headers: ErrorHeaders;
  /** Answered in place of Rucio's JSON, for the few routes that browsers open. */
  readonly page: string | undefined;

  constructor(
    name: ErrorName,
    message: string,
    options: { status?: number; headers?: ErrorHeaders; page?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = name;
    this.status = options.status;
    this.headers = options.headers ?? {};
    this.page = options.page;
  }
}

/** Throws a {@link RucioError}; an expression, so that it can follow `??`. */
export function fail(name: ErrorName, message: string): never {
  throw new RucioError(name, message);
}

/** The answer when throttling or conflicts outlast all retries. The official client retries a 503. */
export function unavailable(cause?: unknown, retryAfterSeconds = 1): RucioError {
  return new RucioError(
    'DatabaseException',
    'Currently there are too many requests for the Rucio servers to handle. Please try again in a few minutes.',
    { status: 503, headers: { 'Retry-After': String(retryAfterSeconds) }, cause },
  );
}

/** The answer when there is no space for more: clients may try again, and somebody has to free space. */
export function storageFull(message: string, cause?: unknown): RucioError {
  return new RucioError('ResourceTemporaryUnavailable', message, {
    status: 503,
    headers: { 'Retry-After': '60' },
    cause,
  });
}

/** Whether an error is transient: nothing was written, and a retry may succeed. */
export function isUnavailable(error: unknown): error is RucioError {
  return error instanceof RucioError && error.status === 503;
}
