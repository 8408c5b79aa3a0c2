import type { Actor, Comparison, Difference, JsonValue, Step } from './types.ts';

/** The optional parts of a step. */
export interface StepOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly compare?: Comparison;
  readonly differs?: Difference;
  readonly save?: Readonly<Record<string, string>>;
}

/** Builders for the steps of one actor; writes without a body pass `undefined`. */
export interface Requests {
  get(name: string, path: string, options?: StepOptions): Step;
  post(name: string, path: string, body?: JsonValue, options?: StepOptions): Step;
  put(name: string, path: string, body?: JsonValue, options?: StepOptions): Step;
  delete(name: string, path: string, body?: JsonValue, options?: StepOptions): Step;
  send(method: string, name: string, path: string, body?: JsonValue, options?: StepOptions): Step;
}

/** Returns step builders that send the token of `actor`. */
export function as(actor: Actor): Requests {
  const send = (method: string, name: string, path: string, body?: JsonValue, options: StepOptions = {}): Step => ({
    name,
    as: actor,
    method,
    path,
    ...(body === undefined ? {} : { body }),
    ...options,
  });
  return {
    get: (name, path, options) => send('GET', name, path, undefined, options),
    post: (name, path, body, options) => send('POST', name, path, body, options),
    put: (name, path, body, options) => send('PUT', name, path, body, options),
    delete: (name, path, body, options) => send('DELETE', name, path, body, options),
    send,
  };
}

/** The password that {@link account} gives to an account, and that the replay logs in with. */
export function passwordOf(accountName: string): string {
  return `pw-${accountName}`;
}

/** Set-up steps: an account of type USER with a userpass identity of the same name. */
export function account(name: string): Step[] {
  const root = as('root');
  return [
    root.post(`set up account ${name}`, `/accounts/${name}`, {
      type: 'USER',
      email: `${name}@example.org`,
    }),
    root.post(`set up identity of ${name}`, `/accounts/${name}/identities`, {
      identity: name,
      authtype: 'USERPASS',
      email: `${name}@example.org`,
      password: passwordOf(name),
    }),
  ];
}

/** Set-up step: a scope owned by `owner`. */
export function scope(name: string, owner = 'root'): Step {
  return as('root').post(`set up scope ${name}`, `/accounts/${owner}/scopes/${name}`);
}

/** Set-up step: a deterministic RSE. */
export function rse(name: string, properties: JsonValue = {}): Step {
  return as('root').post(`set up RSE ${name}`, `/rses/${name}`, properties);
}

/** Set-up step: one collection. */
export function collection(type: 'DATASET' | 'CONTAINER', scopeName: string, name: string): Step {
  return as('root').post(`set up ${type.toLowerCase()} ${scopeName}:${name}`, `/dids/${scopeName}/${name}`, { type });
}

/** A file of `bytes` bytes as it appears in a list of DIDs to attach. */
export function file(scopeName: string, name: string, bytes = 10): { [key: string]: JsonValue } {
  return { scope: scopeName, name, bytes, adler32: '0cc737eb' };
}

/** Set-up step: files that are created on `rseName` while being attached to an existing dataset. */
export function files(scopeName: string, dataset: string, rseName: string, names: readonly string[]): Step {
  return as('root').post(
    `set up files ${names.join(' ')} in ${scopeName}:${dataset}`,
    `/dids/${scopeName}/${dataset}/dids`,
    {
      rse: rseName,
      dids: names.map((name) => file(scopeName, name)),
    },
  );
}

/** Marks a step whose recorded answer Dapple does not copy; `exceptionClass` null means success. */
export function use(status: number, exceptionClass: string | null, why: string): { differs: Difference } {
  return { differs: { status, why, ...(exceptionClass === null ? {} : { exceptionClass }) } };
}
