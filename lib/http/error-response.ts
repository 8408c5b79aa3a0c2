import { errorStatus, RucioError } from '../errors.ts';
import { toPythonJson } from '../python/json.ts';
import type { Edge, EdgeRequest, Exchange, GatewayAnswer } from './exchange.ts';

const maxHeaderCharacters = 125;

/** Turns every thrown value into an answer (spec/dids.md 1.9). */
export function errorResponse(): Edge {
  const toAnswer = (request: EdgeRequest) => {
    const error = request.error instanceof RucioError ? request.error : internalError(request.error);
    request.response = errorAnswer(error, request.context.exchange);
  };
  return { onError: toAnswer };
}

/** The answer to an error: Rucio's class and message, in the body and in the headers. */
export function errorAnswer(error: RucioError, exchange?: Exchange): GatewayAnswer {
  const route = exchange?.match?.route;
  const rejectedToken = error.name === 'CannotAuthenticate' && route !== undefined && route.permission !== 'open';
  return {
    statusCode: error.status ?? route?.errors?.[error.name] ?? errorStatus[error.name],
    headers: {
      'Content-Type': 'application/octet-stream',
      ExceptionClass: error.name,
      ExceptionMessage: headerText(error.message),
      ...error.headers,
    },
    body:
      error.page ??
      toPythonJson({
        ExceptionClass: error.name,
        ExceptionMessage: error.message,
        ...(rejectedToken ? { reason: 'Invalid Auth Token' } : {}),
      }),
  };
}

/** Any other error is a defect of ours: the log has the details, the caller only learns of an unknown exception. */
function internalError(cause: unknown): RucioError {
  return new RucioError('RucioException', 'An unknown exception occurred.', { cause });
}

function headerText(message: string): string {
  const line = message.replaceAll(/[\r\n]/g, ' ').replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?');
  return line.length > maxHeaderCharacters ? `${line.slice(0, maxHeaderCharacters)}...` : line;
}
