import { DynamoDBClient, type DynamoDBClientConfig, ListTablesCommand } from '@aws-sdk/client-dynamodb';

import { TextBody } from '../src/bodies.ts';
import type { Answer, Body } from './request.ts';

/** How the SDK reaches an engine: `new DynamoDBClient(options)`. */
export type ClientOptions = DynamoDBClientConfig;

/** A service of DynamoDB, by its name in the header X-Amz-Target. */
type Service = 'DynamoDB_20120810' | 'DynamoDBStreams_20120810';

/** An engine that answers requests given as JSON. */
export interface Endpoint {
  send(operation: string, body: Body, service?: Service): Promise<Answer>;
  close(): void;
}

/** The part of the SDK's request that is replaced here. */
interface WireRequest {
  readonly headers: Record<string, string>;
  body: unknown;
}

/**
 * Opens an engine through the SDK, without retries.
 *
 * The SDK only signs and sends; requests and answers pass as raw JSON. Its types would reject invalid requests and hide
 * parts of answers.
 */
export function openEndpoint(options: ClientOptions): Endpoint {
  const client = new DynamoDBClient({ ...options, maxAttempts: 1 });
  return {
    async send(operation, body, service = 'DynamoDB_20120810') {
      const command = new ListTablesCommand({});
      command.middlewareStack.add(
        (next) => (args) => {
          const request = args.request as WireRequest;
          request.headers['x-amz-target'] = `${service}.${operation}`;
          request.body = JSON.stringify(body);
          return next(args);
        },
        { step: 'build', priority: 'high', name: 'replaceBody' },
      );
      const answers: Answer[] = [];
      command.middlewareStack.add(
        () => async (args) => {
          const { response } = await client.config.requestHandler.handle(args.request as never);
          const text = await readText(response.body, client.config.streamCollector);
          answers.push({ status: response.statusCode, body: JSON.parse(text) });
          return { response, output: { $metadata: {} } };
        },
        { step: 'finalizeRequest', priority: 'low', name: 'takeAnswer' },
      );
      await client.send(command);
      const [answer] = answers;
      if (answer === undefined) throw new Error('the SDK did not send the request');
      return answer;
    },
    close: () => client.destroy(),
  };
}

/** The text of an answer, over a connection or within the process. */
async function readText(body: unknown, collect: (stream: unknown) => Promise<Uint8Array>): Promise<string> {
  if (body instanceof TextBody) return body.text;
  return Buffer.from(body instanceof Uint8Array ? body : await collect(body)).toString();
}
