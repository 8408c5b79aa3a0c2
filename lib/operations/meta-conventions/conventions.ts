import { compileRegexp, fitsType, valueTypes } from '../../domain/meta-conventions/value-check.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { matchesStart } from '../../domain/subscriptions/engine/time-limit.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail, RucioError } from '../../errors.ts';
import type { Integer } from '../../integer.ts';
import {
  type Convention,
  getConvention,
  insertConvention,
  insertConventionValue,
  isConventionText,
  listConventionKeys,
  listConventionValues,
} from '../../store/entities/convention.ts';

/** Declaration of a new key. */
export interface NewConvention {
  readonly key_type?: string | null | undefined;
  readonly value_type?: string | null | undefined;
  readonly value_regexp?: string | null | undefined;
}

const keyTypes: ReadonlyMap<string, string> = new Map([
  ...['ALL', 'COLLECTION', 'CONTAINER', 'DATASET', 'FILE', 'DERIVED'].map((type) => [type, type] as const),
  ['F', 'FILE'],
  ['D', 'DATASET'],
  ['C', 'CONTAINER'],
]);

/** All keys that have a convention (spec/dids.md 2.29). */
export async function* listKeys({ store }: Context, page: Page = wholeList): AsyncGenerator<Placed<string>> {
  const [after] = page.after ?? [];
  for await (const key of listConventionKeys(store.table, sliceOf(page, after))) yield placed(key, key);
}

/** The values that were added to a key; of an unknown key none (spec/dids.md 2.29). */
export async function* listValues(
  { store }: Context,
  key: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<string>> {
  const [after] = page.after ?? [];
  for await (const value of listConventionValues(store.table, key, sliceOf(page, after))) yield placed(value, value);
}

/**
 * Adds a value to a key if the body has one, or else the key; a body with `key_type` always adds a key.
 *
 * @throws See {@link addKey} and {@link addValue}.
 */
export async function addKeyOrValue(
  context: Context,
  key: string,
  { value, ...convention }: NewConvention & { readonly value?: Integer | string | boolean | undefined },
): Promise<void> {
  return value === undefined || 'key_type' in convention
    ? addKey(context, key, convention)
    : addValue(context, key, value);
}

/**
 * Adds a key (spec/dids.md 2.29).
 *
 * @throws UnsupportedKeyType, UnsupportedValueType (400); InvalidValueForKey (400) when the regular expression is none;
 *   InvalidObject (400) when the key is empty or too long; AccessDenied (401); Duplicate (409).
 */
export async function addKey(context: Context, key: string, convention: NewConvention): Promise<void> {
  await authorize(context, 'add_key', undefined);
  const { key_type, value_type, value_regexp } = convention;
  if (value_type && !valueTypes.has(value_type)) {
    fail('UnsupportedValueType', `The type '${value_type}' is not supported for values!`);
  }
  const keyType = keyTypes.get(key_type ?? '') ?? unsupportedKeyType(key_type);
  if (!isConventionText(key)) fail('InvalidObject', `The key '${key}' is empty or too long`);
  if (value_regexp) compileRegexp(key, value_regexp);
  const added: Convention = {
    key,
    keyType,
    ...(value_type ? { valueType: value_type } : {}),
    ...(value_regexp ? { valueRegexp: value_regexp } : {}),
  };
  const exists = () => new RucioError('Duplicate', `key '${key}' already exists!`);
  await context.store.write(async () => [insertConvention(added, context.now, exists)]);
}

/**
 * Adds a value to a key; it is kept as text (spec/dids.md 2.29).
 *
 * @throws InvalidValueForKey (400) when it does not fit the key's convention; AccessDenied (401); KeyNotFound (404);
 *   Duplicate (409).
 */
export async function addValue(context: Context, key: string, value: Integer | string | boolean): Promise<void> {
  const text = String(value);
  await authorize(context, 'add_value', { key, value: text });
  const convention = await getConvention(context.store.table, key);
  if (convention === undefined) fail('KeyNotFound', `key '${key}' does not exist!`);
  const { valueRegexp, valueType } = convention;
  if (!isConventionText(text)) fail('InvalidValueForKey', `The value for the key ${key} is empty or too long`);
  if (valueRegexp !== undefined && !matchesStart(compileRegexp(key, valueRegexp), text)) {
    const what = `The value ${text} for the key ${key} does not match the regular expression ${valueRegexp}`;
    fail('InvalidValueForKey', what);
  }
  if (valueType !== undefined && !fitsType(valueType, value)) {
    fail('InvalidValueForKey', `The value ${text} for the key ${key} does not match the required type ${valueType}`);
  }
  const exists = () => new RucioError('Duplicate', `key-value '${key}-${text}' already exists!`);
  await context.store.write(async () => [insertConventionValue(key, text, context.now, exists)]);
}

function unsupportedKeyType(type: string | null | undefined): never {
  return fail('UnsupportedKeyType', `The type '${type ?? 'None'}' is not supported for keys!`);
}
