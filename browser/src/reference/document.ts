import { getJson } from '../api/client.ts';

/** A JSON schema, as far as the document uses it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Meaning of the values of an enumeration of states. */
  readonly 'x-enumDescriptions'?: Readonly<Record<string, string>>;
}

/** A value in the path, the query or the headers. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  /** `form`: stands for any other key. */
  readonly style?: string;
}

interface Reference {
  readonly $ref: string;
}

interface Answer {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Reference | { readonly description?: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface RawOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Answer['content'] };
  readonly responses?: Readonly<Record<string, Answer | Reference>>;
}

interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A success or error answer of an operation. */
export interface DescribedAnswer {
  readonly status: string;
  readonly description: string;
  readonly mediaType: string | undefined;
  readonly schema: Schema | undefined;
  readonly headers: readonly (readonly [name: string, description: string])[];
}

/** An operation: a method on a path. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly isRequired: boolean } | undefined;
  readonly answers: readonly DescribedAnswer[];
  readonly errors: readonly DescribedAnswer[];
}

/** The interface as it is described. */
export interface Interface {
  readonly version: string;
  readonly introduction: readonly string[];
  readonly operations: readonly Operation[];
}

const methods = ['get', 'post', 'put', 'delete'] as const;

/** Fetches the OpenAPI document of this server. Throws an ApiError if it does not answer. */
export async function loadInterface(signal: AbortSignal): Promise<Interface> {
  const { info, paths, components = {} } = (await getJson('/openapi.json', { signal })) as unknown as OpenApi;
  const resolve = <T extends object>(found: T | Reference): T => {
    if (!('$ref' in found)) return found;
    const [kind = '', name = ''] = found.$ref.replace('#/components/', '').split('/');
    return components[kind]?.[name] as T;
  };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const raw = item[method];
      return raw === undefined ? [] : [describe({ raw, method: method.toUpperCase(), path, resolve })];
    }),
  );
  return { version: info.version, introduction: (info.description ?? '').split('\n\n'), operations };
}

type Resolve = <T extends object>(found: T | Reference) => T;

function describe({
  raw,
  method,
  path,
  resolve,
}: {
  raw: RawOperation;
  method: string;
  path: string;
  resolve: Resolve;
}): Operation {
  const answers = Object.entries(raw.responses ?? {}).map(([status, answer]) =>
    describeAnswer(status, resolve(answer), resolve),
  );
  const schema = Object.values(raw.requestBody?.content ?? {})[0]?.schema;
  return {
    id: raw.operationId,
    tag: raw.tags?.[0] ?? '',
    method,
    path,
    summary: raw.summary ?? '',
    description: raw.description ?? '',
    parameters: (raw.parameters ?? []).map((parameter) => resolve(parameter)),
    body: schema === undefined ? undefined : { schema, isRequired: raw.requestBody?.required === true },
    answers: answers.filter(({ status }) => status < '400'),
    errors: answers.filter(({ status }) => status >= '400'),
  };
}

function describeAnswer(status: string, { description = '', headers, content }: Answer, resolve: Resolve) {
  const [[mediaType, media] = []] = Object.entries(content ?? {});
  return {
    status,
    description,
    mediaType,
    schema: media?.schema,
    headers: Object.entries(headers ?? {}).map(([name, header]) => [name, resolve(header).description ?? ''] as const),
  };
}
