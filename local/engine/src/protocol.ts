import { EngineError } from './errors.ts';
import type { Answer } from './transport.ts';

/** The namespaces of error types outside of DynamoDB's own namespace. */
const namespaces: Readonly<Record<string, string>> = {
  ValidationException: 'com.amazon.coral.validate',
  SerializationException: 'com.amazon.coral.service',
  UnknownOperationException: 'com.amazon.coral.service',
  MissingAuthenticationTokenException: 'com.amazon.coral.service',
  IncompleteSignatureException: 'com.amazon.coral.service',
  InvalidSignatureException: 'com.amazon.coral.service',
  AccessDeniedException: 'com.amazon.coral.service',
  InternalServerError: 'com.amazonaws.dynamodb.v20120810',
};

/** Errors whose answer has a member `Message` with a capital letter. */
const withCapital = new Set([
  'SerializationException',
  'AccessDeniedException',
  'TransactionCanceledException',
  'IdempotentParameterMismatchException',
]);

/** The answer for an error. Errors other than EngineError are defects of the engine: a 500, without details. */
export function answerError(error: unknown): Answer {
  if (!(error instanceof EngineError)) return answerFault();
  const { type, message, details } = error;
  const body = {
    __type: `${namespaces[type] ?? 'com.amazonaws.dynamodb.v20120810'}#${type}`,
    ...(message === '' ? {} : { [withCapital.has(type) ? 'Message' : 'message']: message }),
    ...details,
  };
  return { status: type === 'InternalServerError' ? 500 : 400, body: JSON.stringify(body) };
}

function answerFault(): Answer {
  const body = {
    __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
    message: 'The request processing has failed because of an unknown error, exception or failure.',
  };
  return { status: 500, body: JSON.stringify(body) };
}
