import { JsonCodec2 } from '@aws-sdk/core/protocols';

/**
 * Replaces `@aws-sdk/dynamodb-codec` in the bundles. It walks the attribute values of requests and answers, which
 * Dapple's protocol leaves as they are (lib/store/items/table-protocol.ts). Errors, and operations on the table itself,
 * are read by their schemas.
 */
export class DynamoDBJsonCodec2 extends JsonCodec2 {
  constructor() {
    super({ timestampFormat: { useTrait: true, default: 7 }, jsonName: false });
  }
}
