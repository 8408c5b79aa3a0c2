import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';

import { hasEscapedName, parseNamed } from '../../json-names.ts';

type Serialize = AwsJson1_0Protocol['serializeRequest'];
type Deserialize = AwsJson1_0Protocol['deserializeResponse'];
type Context = Parameters<Deserialize>[1];
type Answer = Awaited<ReturnType<Deserialize>>;

/** Marks an answer whose items and keys hold native values. */
export const isNative = Symbol('isNative');

/** The body of a request to an engine in the same process, which needs no text. */
export class InputBody extends Uint8Array {
  readonly input: object;

  constructor(input: object) {
    super(0);
    this.input = input;
  }
}

/** The operations on items; the answers of other operations contain dates. */
const itemOperations = /Items?$|Statement$|^(Query|Scan)$/;

/** Finds binary attributes in an answer. A text with these characters matches too, which is rare and only costs time. */
const binaryPattern = /"BS?":/;

/**
 * DynamoDB's protocol, faster for answers that are plain JSON.
 *
 * The SDK walks every value of an answer by its schema, which takes as long as parsing it and changes only binary values
 * and dates. This class only parses answers that contain neither.
 */
export class TableProtocol extends AwsJson1_0Protocol {
  override async deserializeResponse<Output extends Answer>(
    ...[schema, context, response]: Parameters<Deserialize>
  ): Promise<Output> {
    const text = await readBody(response.body, context);
    if (this.isErrorResponse(response.statusCode) && hasEscapedName(text)) {
      return this.handleError(schema, context, response, parseNamed(text), this.deserializeMetadata(response));
    }
    if (this.isErrorResponse(response.statusCode) || !itemOperations.test(schema.name) || this.needsSchema(text)) {
      return super.deserializeResponse(schema, context, { ...response, body: Buffer.from(text) });
    }
    return { ...(parseNamed(text) as Output), $metadata: this.deserializeMetadata(response) };
  }

  /** Whether the values of an answer have to be read by their schema. */
  protected needsSchema(text: string): boolean {
    return binaryPattern.test(text);
  }
}

/**
 * The protocol of clients that convert values themselves: their attributes have the form of JSON, binary ones too
 * (attribute-values.ts), so neither requests nor answers are walked by a schema.
 */
export class PlainProtocol extends TableProtocol {
  override async serializeRequest(...[schema, input, context]: Parameters<Serialize>): ReturnType<Serialize> {
    if (!itemOperations.test(schema.name)) return super.serializeRequest(schema, input, context);
    const request = await super.serializeRequest(schema, {}, context);
    request.body = takesInputs(context) ? new InputBody(input) : JSON.stringify(input);
    return request;
  }

  override async deserializeResponse<Output extends Answer>(
    ...[schema, context, response]: Parameters<Deserialize>
  ): Promise<Output> {
    const { body } = response;
    if (!isAnswerBody(body)) return super.deserializeResponse(schema, context, response);
    return { ...body.answer, [isNative]: true, $metadata: this.deserializeMetadata(response) } as unknown as Output;
  }

  protected override needsSchema(): boolean {
    return false;
  }
}

/** Whether the handler of requests passes objects on; the context holds the configuration of the client. */
function takesInputs(context: object): boolean {
  const { requestHandler } = context as { readonly requestHandler?: { readonly takesInputs?: boolean } };
  return requestHandler?.takesInputs === true;
}

/** The body of an answer whose text is already known. By its members: the handler of requests has classes of its own. */
function isTextBody(body: unknown): body is Uint8Array & { readonly text: string } {
  return body instanceof Uint8Array && 'text' in body;
}

/** The body of an answer that an engine in the same process has read: its items and keys hold native values. */
function isAnswerBody(body: unknown): body is Uint8Array & { readonly answer: object } {
  return body instanceof Uint8Array && 'answer' in body;
}

async function readBody(body: unknown, { streamCollector }: Context): Promise<string> {
  if (isTextBody(body)) return body.text;
  const { buffer, byteOffset, byteLength } = await streamCollector(body);
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
