/** DynamoDB in a Node process: README.md. */
export { serveEngine } from './endpoint.ts';
export { Engine, type EngineOptions } from './engine.ts';
export type { Listener } from './listen.ts';
export { engineClientOptions, type EngineClientOptions } from './request-handler.ts';
export type { StreamChange, StreamRecord } from './streams/stream-record.ts';
export type { Answer, GetRecordsInput, RecordsPage, Transport } from './transport.ts';
export type { AttributeValue, Item } from './values/attribute-value.ts';
