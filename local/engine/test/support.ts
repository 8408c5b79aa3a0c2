import { Engine } from '../src/engine.ts';

/** The JSON of an input or an answer. */
export type Json = Record<string, unknown>;

/** An engine in memory with a JSON interface. */
export interface Asked {
  /** The answer to a request, also an error. */
  ask(operation: string, input: Json): Promise<Json>;
  /** The error message of a refused request. */
  refusal(operation: string, input: Json): Promise<unknown>;
  close(): void;
}

/** Opens an engine in memory. */
export function openAsked(): Asked {
  const engine = new Engine();
  const send = async (operation: string, input: Json) => {
    const { status, body } = await engine.send(operation, JSON.stringify(input));
    return { status, answer: (body === '' ? {} : JSON.parse(body)) as Json };
  };
  return {
    ask: async (operation, input) => (await send(operation, input)).answer,
    refusal: async (operation, input) => {
      const { status, answer } = await send(operation, input);
      return status === 200 ? undefined : (answer['message'] ?? answer['Message']);
    },
    close: () => engine.close(),
  };
}

/** The input of a CreateTable with text attributes; keys are written as `hash hash / range range`. */
export function tableOf(name: string, key: string, indexes: Readonly<Record<string, string>> = {}): Json {
  const all = [key, ...Object.values(indexes)].flatMap((text) => text.split(/[ /]+/));
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...new Set(all)].map((one) => ({ AttributeName: one, AttributeType: 'S' })),
    KeySchema: schemaOf(key),
    ...(Object.keys(indexes).length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, text]) => ({
            IndexName,
            KeySchema: schemaOf(text),
            Projection: { ProjectionType: 'ALL' },
          })),
        }),
  };
}

function schemaOf(key: string): Json[] {
  const [hash = '', range = ''] = key.split(' / ');
  const ofKind = (names: string, KeyType: string) =>
    names.split(' ').flatMap((name) => (name === '' ? [] : { AttributeName: name, KeyType }));
  return [...ofKind(hash, 'HASH'), ...ofKind(range, 'RANGE')];
}

/** An item with text attributes. */
export const texts = (attributes: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(Object.entries(attributes).map(([name, S]) => [name, { S }]));
