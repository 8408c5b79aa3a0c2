import { type ActionName, actionNames, actionsAtRses, type Test } from './rights.ts';

const plain: ReadonlySet<unknown> = new Set<Extract<Test, string>>([
  'anyone',
  'root',
  'own account',
  'not of root',
  'own password',
  'own rules',
  'unlocked',
  'plain change',
  'results of transfers',
  'asks approval',
  'quota',
]);

type Parameter = Test extends infer T ? (T extends string ? never : keyof T) : never;

const isTexts = (value: unknown) => Array.isArray(value) && value.every((text) => typeof text === 'string');
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isRole = (value: unknown) => isObject(value) && typeof value['prefix'] === 'string' && isTexts(value['values']);
const namesAttribute = (value: unknown) => isObject(value) && typeof value['attribute'] === 'string';

/** Whether the parameter of a test is as it must be. */
const parameters: Readonly<Record<Parameter, (value: unknown) => boolean>> = {
  has: (value) => typeof value === 'string' && value !== '',
  owns: isTexts,
  role: isRole,
  roleAt: (value) => isRole(value) && namesAttribute(value),
  listedIn: namesAttribute,
  rseIs: (value) => namesAttribute(value) && isObject(value) && isTexts(value['values']),
  rse: isPattern,
  keeps: isTexts,
  changesOnly: isTexts,
  files: (value) => ['none new', 'owned', 'new owned', 'known answered'].includes(String(value)),
};

const ofRses: ReadonlySet<string> = new Set<Parameter>(['roleAt', 'listedIn', 'rseIs']);
/** Tests that may be negated: whatever is asked, they can be answered. */
const negatable: ReadonlySet<string> = new Set<Parameter>([
  'has',
  'role',
  ...(['roleAt', 'listedIn', 'rseIs'] as const),
]);

/** All that is wrong with the rights of a policy. */
export function findFlawsOfRights(given: unknown): { readonly member: string; readonly reason: string }[] {
  if (!isObject(given) || Array.isArray(given)) return [{ member: 'rights', reason: 'it is no object' }];
  return Object.entries(given).flatMap(([action, right]) => {
    const reason = (actionNames as readonly string[]).includes(action)
      ? findFlaw(right, action as ActionName)
      : 'there is no such action';
    return reason === undefined ? [] : [{ member: `rights.${action}`, reason }];
  });
}

function findFlaw(right: unknown, action: ActionName): string | undefined {
  if (!isObject(right)) return plain.has(right) ? undefined : `'${String(right)}' is no right`;
  const [[kind, value] = [], ...others] = Object.entries(right);
  if (kind === undefined || others.length > 0) return 'a right is one test, or one combination';
  if (kind === 'any' || kind === 'all') {
    if (!Array.isArray(value) || value.length === 0) return `'${kind}' has no parts`;
    return value.map((part) => findFlaw(part, action)).find((flaw) => flaw !== undefined);
  }
  if (kind === 'not') {
    const isNegatable = isObject(value) && Object.keys(value).every((key) => negatable.has(key));
    return isNegatable ? findFlaw(value, action) : `'not' goes with ${[...negatable].join(', ')}`;
  }
  if (!Object.hasOwn(parameters, kind)) return `'${kind}' is no test`;
  if (!parameters[kind as Parameter](value)) return `'${kind}' has a wrong parameter`;
  return ofRses.has(kind) && !actionsAtRses.has(action) ? `'${kind}' has no RSE to look at` : undefined;
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value) instanceof RegExp;
  } catch {
    return false;
  }
}
