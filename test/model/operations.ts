import fc from 'fast-check';

import type { Answer, Client } from '../support/server.ts';
import { walk } from '../support/walk.ts';
import { bytesOf, type Conditions, type Model, type Outcome } from './model.ts';

/** An operation on the service and on the model. */
export type Operation =
  | { readonly do: 'create'; readonly name: string; readonly kind: 'DATASET' | 'CONTAINER' }
  | { readonly do: 'attach'; readonly name: string; readonly children: readonly string[]; readonly register: boolean }
  | { readonly do: 'detach'; readonly name: string; readonly children: readonly string[] }
  | { readonly do: 'open'; readonly name: string; readonly open: boolean }
  | { readonly do: 'set'; readonly name: string; readonly key: string; readonly value: string | number }
  | { readonly do: 'search'; readonly conditions: Conditions; readonly page: number | undefined }
  | { readonly do: 'look'; readonly name: string; readonly page: number | undefined };

const names = (prefix: string, count: number) => Array.from({ length: count }, (_value, index) => prefix + index);
const pool = { file: names('f', 12), dataset: names('ds', 5), container: names('ct', 4) };
const collection = fc.constantFrom(...pool.dataset, ...pool.container);
const anything = fc.constantFrom(...pool.file, ...pool.dataset, ...pool.container);
const some = (choice: readonly string[]) => fc.uniqueArray(fc.constantFrom(...choice), { minLength: 1, maxLength: 4 });

/** A column that is indexed, a column that is a number, and free metadata. */
const metadata = fc.oneof(
  fc.tuple(fc.constant('datatype'), fc.constantFrom('RAW', 'AOD')),
  fc.tuple(fc.constant('run_number'), fc.constantFrom(358_031, 7)),
  fc.tuple(fc.constant('flavour'), fc.constantFrom('up', 'down')),
);

const conditions: fc.Arbitrary<Conditions> = fc.record(
  {
    type: fc.constantFrom('all', 'collection', 'dataset', 'container', 'file'),
    prefix: fc.constantFrom('f', 'f1', 'd', 'ct', 'x'),
    meta: fc.uniqueArray(metadata, { maxLength: 2, selector: ([key]) => key }),
  },
  { requiredKeys: ['type', 'meta'] },
);

/** Page size of a list; undefined: no pages. */
const pageSize = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });

/** Mostly operations that succeed, and many that must be refused. */
export const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: creation(pool.dataset, 'DATASET') },
  { weight: 3, arbitrary: creation(pool.container, 'CONTAINER') },
  { weight: 4, arbitrary: attachment(fc.constantFrom(...pool.dataset), pool.file, true) },
  { weight: 2, arbitrary: attachment(collection, [...pool.file, ...pool.dataset], false) },
  { weight: 2, arbitrary: attachment(fc.constantFrom(...pool.container), pool.dataset, false) },
  { weight: 2, arbitrary: attachment(fc.constantFrom(...pool.container), pool.container, false) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('detach' as const),
      name: collection,
      children: fc.uniqueArray(anything, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('detach' as const),
      name: fc.constantFrom(...pool.dataset),
      children: fc.tuple(fc.constantFrom(...pool.file)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('open' as const), name: anything, open: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ name: anything, entry: metadata }).map(({ name, entry: [key, value] }) => ({
      do: 'set' as const,
      name,
      key,
      value,
    })),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('search' as const), conditions, page: pageSize }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('look' as const), name: anything, page: pageSize }) },
);

function creation(choice: readonly string[], kind: 'DATASET' | 'CONTAINER'): fc.Arbitrary<Operation> {
  return fc.record({ do: fc.constant('create' as const), name: fc.constantFrom(...choice), kind: fc.constant(kind) });
}

function attachment(name: fc.Arbitrary<string>, choice: readonly string[], register: boolean): fc.Arbitrary<Operation> {
  return fc.record({
    do: fc.constant('attach' as const),
    name,
    children: some(choice),
    register: fc.constant(register),
  });
}

/** The caller, scope and RSE of the operations. */
export interface TestScope {
  readonly client: Client;
  readonly scope: string;
  readonly rse: string;
}

/** Performs an operation on the model. */
export function expected(model: Model, operation: Operation): Outcome {
  switch (operation.do) {
    case 'create':
      return model.create(operation.name, operation.kind);
    case 'attach':
      return model.attach(operation.name, operation.children, operation.register);
    case 'detach':
      return model.detach(operation.name, operation.children);
    case 'open':
      return model.setOpen(operation.name, operation.open);
    case 'set':
      return model.setMeta(operation.name, operation.key, operation.value);
    case 'search':
      return sorted(model.search(operation.conditions) as string[]);
    case 'look':
      return described(model, operation.name);
  }
}

/** Performs an operation on the service. */
export async function actual({ client, scope, rse }: TestScope, operation: Operation): Promise<Outcome> {
  const at = (name: string) => `/dids/${scope}/${name}`;
  const did = (name: string) => ({ scope, name });
  switch (operation.do) {
    case 'create':
      return outcome(await client.post(at(operation.name), { type: operation.kind }));
    case 'attach': {
      const { register, children, name } = operation;
      const files = children.map((child) => ({ ...did(child), bytes: bytesOf(child), adler32: '0cc737eb' }));
      return outcome(
        await client.post(`${at(name)}/dids`, register ? { dids: files, rse } : { dids: children.map(did) }),
      );
    }
    case 'detach':
      return outcome(await client.delete(`${at(operation.name)}/dids`, { dids: operation.children.map(did) }));
    case 'open':
      return outcome(await client.put(`${at(operation.name)}/status`, { open: operation.open }));
    case 'set':
      return outcome(await client.post(`${at(operation.name)}/meta/${operation.key}`, { value: operation.value }));
    case 'search': {
      const { type, prefix, meta } = operation.conditions;
      const query = new URLSearchParams({
        type,
        ...Object.fromEntries(meta.map(([key, value]) => [key, String(value)])),
      });
      if (prefix !== undefined) query.set('name', `${prefix}*`);
      return (await readList(client, `/dids/${scope}/dids/search?${query.toString()}`, operation.page)) as string[];
    }
    case 'look':
      return look(client, at(operation.name), operation.page);
  }
}

interface Row {
  readonly name: string;
}

async function look(client: Client, path: string, page: number | undefined): Promise<Outcome> {
  const did = await client.get(`${path}?dynamic_depth=FILE`);
  if (did.status !== 200) return outcome(did);
  const lists = await Promise.all(
    ['dids', 'files', 'parents'].map((name) => readList(client, `${path}/${name}`, page)),
  );
  const { type, open, length, bytes } = did.json() as Readonly<Record<string, unknown>>;
  const rows = lists.map((found) => sorted((found as Row[]).map(({ name }) => name)).join());
  return [JSON.stringify({ type, open, length, bytes }), ...rows];
}

/** Reads a list as a whole or page by page. */
async function readList(client: Client, path: string, page: number | undefined): Promise<unknown[]> {
  return page === undefined ? (await client.get(path)).lines() : (await walk(client, path, page)).flat();
}

function described(model: Model, name: string): Outcome {
  const did = model.dids.get(name);
  if (did === undefined) return { error: 'DataIdentifierNotFound' };
  const { kind: type, open } = did;
  const size = type === 'FILE' ? { length: 1, bytes: did.bytes } : model.size(name);
  const lists = [model.content(name) ?? [], model.files(name), model.parents(name)];
  return [JSON.stringify({ type, open, ...size }), ...lists.map((found) => sorted(found).join())];
}

const sorted = (texts: readonly string[]) => texts.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));

function outcome(answer: Answer): Outcome {
  if (answer.status === 200 || answer.status === 201) return 'done';
  return { error: (answer.json() as { ExceptionClass: string }).ExceptionClass };
}
