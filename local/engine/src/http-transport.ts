import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

import { type Answer, ConnectionLost, type Transport } from './transport.ts';

/** Operations of the DynamoDB Streams service. */
const ofStreams = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams']);

/** A transport to an external engine that accepts any signature, such as AWS's DynamoDB Local. */
export interface HttpTransport extends Transport {
  /** Closes the connections. */
  close(): void;
}

/**
 * Opens a transport to a DynamoDB endpoint on this machine, with the region of the environment.
 *
 * @param accessKey By default that of the environment. DynamoDB Local has a separate database for each.
 */
export function openHttpTransport(
  endpoint: string,
  accessKey = process.env['AWS_ACCESS_KEY_ID'] ?? 'local',
): HttpTransport {
  const agent = new Agent({ keepAlive: true });
  const { AWS_REGION: region = 'us-east-1' } = process.env;
  const authorization =
    `AWS4-HMAC-SHA256 Credential=${accessKey}/20260101/${region}/dynamodb/aws4_request, ` +
    'SignedHeaders=host, Signature=0';
  return {
    send: (operation, body) =>
      new Promise<Answer>((resolve, reject) => {
        const service = ofStreams.has(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810';
        const headers = {
          'Content-Type': 'application/x-amz-json-1.0',
          'X-Amz-Target': `${service}.${operation}`,
          'X-Amz-Date': '20260101T000000Z',
          Authorization: authorization,
        };
        const lose = () => reject(new ConnectionLost());
        const outgoing = request(endpoint, { method: 'POST', agent, headers }, (incoming) => {
          text(incoming).then((answer) => resolve({ status: incoming.statusCode ?? 500, body: answer }), lose);
        });
        outgoing.once('error', lose).end(body);
      }),
    close: () => agent.destroy(),
  };
}
