/**
 * Replaces `@aws-sdk/lib-dynamodb` in the bundle of a simulation (docs/adr/0016-simulated-deployment.md). Client, retries, errors
 * and the middleware of lib/store are the real ones; HTTP and the serialisation of each value by its schema are left out.
 */
import {
  BatchExecuteStatementCommand as BatchExecuteStatement,
  BatchGetItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand as Query,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';

import { TextBody } from '../../../lib/store/items/table-protocol.ts';
import { type Codec, type CodecOptions, makeCodec, type Values } from './document-values.ts';

/** Sends a request to the table; a parameter of the evaluated bundle. */
declare const instanceSend: (operation: string, input: Values) => Promise<{ status: number; body: string }>;

/** The SDK's operation, as a command has it: a number, the namespace, the name, traits, and schemas of input and output. */
type Schema = readonly [number, string, string, unknown, unknown, unknown];

/** How the client treats a command. */
interface Kind {
  /** The same command of the client below. */
  readonly command: { readonly schema?: unknown };
  readonly name: string;
  readonly encode: (input: Values, codec: Codec) => Values;
  readonly decode: (output: Values, codec: Codec) => Values;
}

interface DocumentCommand {
  readonly kind: Kind;
  readonly input: Values;
}

/** The class of a command. */
function defineCommand(kind: Kind): new (input: Values) => DocumentCommand {
  return class {
    readonly kind = kind;
    readonly input: Values;

    constructor(input: Values) {
      this.input = input;
    }
  };
}

/** Defines a command whose input and output hold items. */
const defineItemCommand = (name: string, command: Kind['command']) =>
  defineCommand({ name, command, encode: encodeItem, decode: decodeItem });

const encodeItem = (input: Values, codec: Codec): Values => ({
  ...input,
  ...encoded(input, codec, ['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey']),
});

function encoded(input: Values, codec: Codec, names: readonly string[]): Values {
  const present = names.filter((name) => input[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, codec.toAttributes(input[name])]));
}

const decodeItem = (output: Values, codec: Codec): Values => {
  const found: Record<string, unknown> = { ...output };
  for (const name of ['Item', 'Attributes', 'LastEvaluatedKey']) {
    if (found[name] !== undefined) found[name] = codec.toNatives(found[name]);
  }
  if (found['Items'] !== undefined) found['Items'] = (found['Items'] as readonly Values[]).map(codec.toNatives);
  return found;
};

/** Maps the members of an object. */
function mapMembers<R>(values: unknown, change: (value: Values) => R): Readonly<Record<string, R>> {
  return Object.fromEntries(Object.entries(values as Tree).map(([name, value]) => [name, change(value)]));
}

/** An object of objects. */
type Tree = Readonly<Record<string, Values>>;

const listOf = (values: unknown) => (values ?? []) as readonly Values[];

export const GetCommand = defineItemCommand('GetItem', new GetItemCommand({ TableName: '', Key: {} }));

export const PutCommand = defineItemCommand('PutItem', new PutItemCommand({ TableName: '', Item: {} }));

export const UpdateCommand = defineItemCommand('UpdateItem', new UpdateItemCommand({ TableName: '', Key: {} }));

export const DeleteCommand = defineItemCommand('DeleteItem', new DeleteItemCommand({ TableName: '', Key: {} }));

export const QueryCommand = defineItemCommand('Query', new Query({ TableName: '' }));

export const BatchGetCommand = defineCommand({
  command: new BatchGetItemCommand({ RequestItems: {} }),
  name: 'BatchGetItem',
  encode: (input, codec) => ({
    ...input,
    RequestItems: mapMembers(input['RequestItems'], (one) => ({
      ...one,
      Keys: listOf(one['Keys']).map(codec.toAttributes),
    })),
  }),
  decode: (output, codec) => ({
    ...output,
    Responses: mapMembers(output['Responses'], (items) => listOf(items).map(codec.toNatives)),
    UnprocessedKeys: mapMembers(output['UnprocessedKeys'] ?? {}, (one) => ({
      ...one,
      Keys: listOf(one['Keys']).map(codec.toNatives),
    })),
  }),
});

export const TransactWriteCommand = defineCommand({
  command: new TransactWriteItemsCommand({ TransactItems: [] }),
  name: 'TransactWriteItems',
  encode: (input, codec) => ({
    ...input,
    TransactItems: listOf(input['TransactItems']).map((part) =>
      mapMembers(part, (action) => encodeItem(action, codec)),
    ),
  }),
  decode: (output) => output,
});

/** A statement with its parameters as attributes. */
function encodeStatement(statement: Values, codec: Codec): Values {
  const { Parameters } = statement;
  return Parameters === undefined ? statement : { ...statement, Parameters: listOf(Parameters).map(codec.toAttribute) };
}

/** The answer to a statement, with the items that it or its error shows. */
function decodeStatement(answer: Values, codec: Codec): Values {
  const found = decodeItem(answer, codec);
  const error = answer['Error'];
  return error === undefined ? found : { ...found, Error: decodeItem(error as Values, codec) };
}

export const BatchExecuteStatementCommand = defineCommand({
  command: new BatchExecuteStatement({ Statements: [] }),
  name: 'BatchExecuteStatement',
  encode: (input, codec) => ({
    ...input,
    Statements: listOf(input['Statements']).map((one) => encodeStatement(one, codec)),
  }),
  decode: (output, codec) => ({
    ...output,
    Responses: listOf(output['Responses']).map((one) => decodeStatement(one, codec)),
  }),
});

/** Middleware of the SDK that is about HTTP. */
const aboutHttp = new Set([
  'serializerMiddleware',
  'deserializerMiddleware',
  'httpAuthSchemeMiddleware',
  'httpSigningMiddleware',
  'endpointV2Middleware',
]);

type Handler = (args: { input: Values }) => Promise<{ output: Values }>;

/** A document client over a client of the SDK. */
export class DynamoDBDocumentClient {
  readonly #client: DynamoDBClient;
  readonly #codec: Codec;
  readonly #handlers = new Map<string, Handler>();

  private constructor(client: DynamoDBClient, options: CodecOptions) {
    this.#client = client;
    this.#codec = makeCodec(options);
    for (const name of aboutHttp) client.middlewareStack.remove(name);
    // The step at which the SDK serialises a request, and gives a transaction the token that its retries share.
    client.middlewareStack.add(
      (next, context) => (args) => {
        const input = args.input as Values;
        const needsToken = context.commandName === 'TransactWriteItemsCommand';
        const token = needsToken ? { ClientRequestToken: input['ClientRequestToken'] ?? crypto.randomUUID() } : {};
        return next({ ...args, request: { ...input, ...token } });
      },
      { step: 'serialize', name: 'request' },
    );
  }

  static from(client: DynamoDBClient, options: CodecOptions): DynamoDBDocumentClient {
    return new DynamoDBDocumentClient(client, options);
  }

  async send({ kind, input }: DocumentCommand): Promise<Values> {
    const handler = this.#handlers.get(kind.name) ?? this.#resolve(kind);
    const { output } = await handler({ input: kind.encode(input, this.#codec) });
    return kind.decode(output, this.#codec);
  }

  destroy(): void {
    this.#client.destroy();
  }

  #resolve({ name, command }: Kind): Handler {
    const [, namespace, , traits, input, output] = command.schema as Schema;
    const operation = { name, namespace, traits, input, output };
    const { config } = this.#client;
    const carry = async ({ request }: { request: Values }) => {
      const { status, body } = await instanceSend(name, request);
      if (status < 300) {
        const found = JSON.parse(body) as Values;
        return { response: undefined, output: { ...found, $metadata: { httpStatusCode: status } } };
      }
      const response = { statusCode: status, headers: { 'content-type': jsonType }, body: new TextBody(body) };
      // The SDK makes an exception of it, with the properties that its retries depend on.
      const protocol = config.protocol as unknown as { deserializeResponse: (...parts: unknown[]) => Promise<never> };
      return protocol.deserializeResponse(operation, config, response);
    };
    const stack = this.#client.middlewareStack as unknown as { resolve: (...parts: unknown[]) => Handler };
    const handler = stack.resolve(carry, { commandName: `${name}Command`, clientName: 'DynamoDBClient' });
    this.#handlers.set(name, handler);
    return handler;
  }
}

const jsonType = 'application/x-amz-json-1.0';
