import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';

type Deserialize = AwsJson1_0Protocol['deserializeResponse'];
type Context = Parameters<Deserialize>[1];
type Answer = Awaited<ReturnType<Deserialize>>;

/** The body of an answer whose text is at hand, so that its bytes need not be decoded. */
export class TextBody extends Uint8Array {
  readonly text: string;

  constructor(text: string) {
    super(0);
    this.text = text;
  }
}

/** The operations on items; the answers of others have dates. */
const onItems = /Items?$|Statement$|^(Query|Scan)$/;

/** Finds attributes that are binary, and now and then text that looks like one. */
const maybeBinary = /"BS?":/;

/**
 * DynamoDB's protocol, faster for answers that are plain JSON.
 *
 * The SDK walks every value of an answer by its schema, which takes as long as parsing it and changes only binary
 * values and dates. Here an answer that has none is parsed and nothing else.
 */
export class TableProtocol extends AwsJson1_0Protocol {
  override async deserializeResponse<Output extends Answer>(
    ...[schema, context, response]: Parameters<Deserialize>
  ): Promise<Output> {
    const text = await readBody(response.body, context);
    if (this.isErrorResponse(response.statusCode) || !onItems.test(schema.name) || maybeBinary.test(text)) {
      return super.deserializeResponse(schema, context, { ...response, body: Buffer.from(text) });
    }
    return { ...(JSON.parse(text) as Output), $metadata: this.deserializeMetadata(response) };
  }
}

async function readBody(body: unknown, { streamCollector }: Context): Promise<string> {
  if (body instanceof TextBody) return body.text;
  const { buffer, byteOffset, byteLength } = await streamCollector(body);
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
