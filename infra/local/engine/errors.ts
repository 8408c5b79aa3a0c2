/** An error that the engine answers with: a type of DynamoDB's and a message in AWS's words. */
export class EngineError extends Error {
  /** For example `ValidationException`. */
  readonly type: string;
  /** What the answer says beside the message, such as `Item` or `CancellationReasons`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(type: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = type;
    this.type = type;
    this.details = details;
  }
}

/** The error of a request that DynamoDB refuses because of what it says. */
export function invalid(message: string): EngineError {
  return new EngineError('ValidationException', message);
}

/** The error of a request that has the wrong JSON types. */
export function unreadable(message: string): EngineError {
  return new EngineError('SerializationException', message);
}

/** The error of a request for what this engine does not do, by its name. */
export function unsupported(what: string): EngineError {
  return new EngineError('UnknownOperationException', `${what} is not supported by Dapple's embedded engine`);
}

/** The error of a request for a table that is not there. */
export function tableNotFound(): EngineError {
  return new EngineError('ResourceNotFoundException', 'Requested resource not found');
}

/** The error of a write whose condition does not hold. */
export function conditionFailed(details: Readonly<Record<string, unknown>> = {}): EngineError {
  return new EngineError('ConditionalCheckFailedException', 'The conditional request failed', details);
}
