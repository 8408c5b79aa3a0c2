/** An error answer of the engine: DynamoDB's type and AWS's message. */
export class EngineError extends Error {
  /** For example `ValidationException`. */
  readonly type: string;
  /** Further members of the answer, such as `Item` or `CancellationReasons`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(type: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = type;
    this.type = type;
    this.details = details;
  }
}

/** The error of an invalid request. */
export function validationError(message: string): EngineError {
  return new EngineError('ValidationException', message);
}

/** The error of a request with contradictory values. */
export function contradictionError(what: string): EngineError {
  return validationError(`One or more parameter values were invalid: ${what}`);
}

/** The error of a request with wrong JSON types. */
export function serializationError(message: string): EngineError {
  return new EngineError('SerializationException', message);
}

/** The error of a request for an unsupported feature. */
export function unsupportedError(what: string): EngineError {
  return new EngineError('UnknownOperationException', `${what} is not supported by Dapple's embedded engine`);
}

/** The error of a request for a table that does not exist. */
export function tableNotFoundError(): EngineError {
  return new EngineError('ResourceNotFoundException', 'Requested resource not found');
}

/** The error of a write whose condition is false. */
export function conditionFailedError(details: Readonly<Record<string, unknown>> = {}): EngineError {
  return new EngineError('ConditionalCheckFailedException', 'The conditional request failed', details);
}

/** SQLite's code of a full disk, or of a database that may not grow; extended codes have more bits. */
const sqliteFull = 13;

/** An error of the engine for one that says that there is no space; any other one as it is. Callers can tell it from a defect. */
export function namedError(error: unknown): unknown {
  const { errcode, code } = (typeof error === 'object' ? (error ?? {}) : {}) as { errcode?: number; code?: string };
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || (errcode !== undefined && (errcode & 0xff) === sqliteFull);
  if (!isFull) return error;
  return new EngineError('StorageFullException', 'The disk of the catalogue is full: nothing was stored.');
}
