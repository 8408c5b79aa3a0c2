import { AnswerBody, isInputBody, TextBody } from './bodies.ts';
import type { Transport } from './transport.ts';
import { parseNative } from './values/item-text.ts';

/** The part of the SDK's request that a handler reads. */
interface SdkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The answer as the SDK reads it. */
interface SdkResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** The SDK's interface of an HTTP handler. */
export interface RequestHandler {
  /** Whether bodies may be objects instead of text. */
  readonly takesInputs: boolean;
  /** Whether answers have the header `Date`, which clients follow. */
  readonly tellsTime: boolean;
  handle(request: SdkRequest): Promise<{ response: SdkResponse }>;
  destroy(): void;
}

/** Options with which an SDK client reaches an engine in the same process: `new DynamoDBClient({ region, credentials, ...options })`. */
export interface EngineClientOptions {
  /** As parts: the SDK parses a URL again for each request. */
  readonly endpoint: { readonly protocol: string; readonly hostname: string; readonly path: string };
  readonly requestHandler: RequestHandler;
  /** Requests need no signature. */
  readonly signer: { sign<Request>(request: Request): Promise<Request> };
}

/** Options with which an SDK client reaches an engine in the same process. */
export function engineClientOptions(transport: Transport): EngineClientOptions {
  return {
    endpoint: { protocol: 'http:', hostname: 'dynamodb.embedded', path: '/' },
    requestHandler: createRequestHandler(transport),
    signer: { sign: async (request) => request },
  };
}

/** Passes the requests of an SDK client to a transport. Retries and errors stay with the client. */
export function createRequestHandler(transport: Transport): RequestHandler {
  const send = (operation: string, body: unknown) =>
    transport.sendInput !== undefined && isInputBody(body)
      ? transport.sendInput(operation, body.input)
      : transport.send(operation, readText(body));
  return {
    tellsTime: false,
    takesInputs: transport.sendInput !== undefined,
    handle: async ({ headers, body }) => {
      const answer = await send(headers['x-amz-target']?.split('.')[1] ?? '', body);
      return {
        response: {
          statusCode: answer.status,
          headers: { 'content-type': 'application/x-amz-json-1.0' },
          body: answer.hasPlainItems === true ? new AnswerBody(parseNative(answer.body)) : new TextBody(answer.body),
        },
      };
    },
    destroy: () => {},
  };
}

function readText(body: unknown): string {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return typeof body === 'string' ? body : '{}';
}
