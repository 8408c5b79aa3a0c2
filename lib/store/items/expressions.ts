import { chunksOf } from '../../chunks.ts';
import { clock } from '../../clock.ts';
import {
  countedWhenStaged,
  goneAttribute,
  internalAttributes,
  type Patch,
  revisions,
  settingAttribute,
  stagedPrefix,
} from './item.ts';
import type { Change } from './plan.ts';

/** The expressions of an update or delete request. */
export interface Expressions {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
  readonly UpdateExpression?: string;
}

/** Collects the placeholders of an expression. */
class Builder {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};
  // Counted, since a change may have thousands of attributes.
  #names = 0;
  #values = 0;

  name(attribute: string): string {
    const key = `#n${this.#names}`;
    this.#names += 1;
    this.names[key] = attribute;
    return key;
  }

  value(value: unknown): string {
    const key = `:v${this.#values}`;
    this.#values += 1;
    this.values[key] = value;
    return key;
  }

  build(condition: readonly string[], update: readonly string[]): Expressions {
    return {
      ConditionExpression: condition.join(' AND '),
      ExpressionAttributeNames: this.names,
      ...(this.#values > 0 ? { ExpressionAttributeValues: this.values } : {}),
      ...(update.length > 0 ? { UpdateExpression: update.join(' ') } : {}),
    };
  }
}

/** The expressions that make a change directly. */
export function changeExpressions({ patch, when }: Change): Expressions {
  const builder = new Builder();
  return builder.build(
    [...valueConditions(builder, when), ...orderConditions(builder, patch, when)],
    patch.delete === true ? [] : updateClauses(builder, patch),
  );
}

/** The expressions that check the conditions of a change and change nothing. */
export function checkExpressions({ when }: Change): Expressions {
  const builder = new Builder();
  return builder.build(valueConditions(builder, when), []);
}

/** The expressions that stage a change: they store it beside the item's values until its batch is committed. */
export function stageExpressions({ patch, when }: Change, batch: string): Expressions {
  const builder = new Builder();
  const condition = [...valueConditions(builder, when), ...orderConditions(builder, patch, when)];
  const [attribute, value] = patch.delete === true ? [goneAttribute, batch] : [stagedPrefix + batch, patch];
  const set = `SET ${builder.name(attribute)} = ${builder.value(value)}`;
  // A writer that read the item before must notice the staged change.
  const counted = countedWhenStaged.filter((revision) => patch.add?.[revision] !== undefined);
  const bumps = counted.map((revision) => `${builder.name(revision)} ${builder.value(1)}`);
  const setting = setsValues(patch) ? [`${builder.name(settingAttribute)} ${builder.value(new Set([batch]))}`] : [];
  const additions = [...bumps, ...setting];
  return builder.build(condition, [set, ...(additions.length > 0 ? [`ADD ${additions.join(', ')}`] : [])]);
}

/**
 * The sequential requests that fold a staged change into the item once its batch is committed. There is one, unless the
 * change has more attributes than an expression holds. The attribute `foldedAt` remains: for a reader whose view was opened
 * before that time, the item already shows too much.
 *
 * Each part removes from the staged change what it sets, so that the item does not grow and another writer can continue.
 * Its condition fails where another process has already applied it.
 */
export function foldExpressions(patch: Patch, batch: string): Expressions[] {
  if (patch.delete === true) {
    const builder = new Builder();
    return [builder.build([goneCondition(builder, batch)], [])];
  }
  if (fitsExpression(patch)) return [lastFold(patch, batch)];
  const sets = Object.entries(patch.set ?? {});
  const removes = patch.remove ?? [];
  return [
    ...chunksOf(sets, attributesPerPart).map((part) => moveExpressions(part, batch)),
    ...chunksOf(removes, attributesPerPart).map((part) => removeExpressions(part, batch)),
    lastFold(patch.add === undefined ? {} : { add: patch.add }, batch),
  ];
}

/** DynamoDB's limit for an expression. */
const maxExpressionBytes = 4096;

/** Attributes that one part of a fold sets: each is named in the change, in the removal and in the condition. */
const attributesPerPart = 60;

/** Reserved for what is added to a change later: the stamp, the time of the fold, the id of the write. */
const reservedBytes = 100;

/** Whether one expression can make a change. */
export function fitsExpression(patch: Patch): boolean {
  const update = updateClauses(new Builder(), patch).join(' ');
  return Buffer.byteLength(update) <= maxExpressionBytes - reservedBytes;
}

function lastFold(patch: Patch, batch: string): Expressions {
  const builder = new Builder();
  const set = { ...patch.set, foldedAt: clock.now() };
  const remove = [...(patch.remove ?? []), stagedPrefix + batch];
  return builder.build(
    [stagedCondition(builder, batch)],
    [...updateClauses(builder, { ...patch, set, remove }), removalFromSetting(builder, batch)],
  );
}

/** Sets attributes and removes them from the staged change, which every reader applies from now on. */
function moveExpressions(part: readonly (readonly [string, unknown])[], batch: string): Expressions {
  const builder = new Builder();
  const staged = builder.name(stagedPrefix + batch);
  const within = `${staged}.${builder.name('set')}`;
  const terms = part.map(([attribute, value]) => ({ name: builder.name(attribute), value: builder.value(value) }));
  const sets = [
    ...terms.map(({ name, value }) => `${name} = ${value}`),
    `${staged}.${builder.name('folding')} = ${builder.value(true)}`,
  ];
  return builder.build(
    terms.map(({ name }) => `attribute_exists(${within}.${name})`),
    [`SET ${sets.join(', ')}`, `REMOVE ${terms.map(({ name }) => `${within}.${name}`).join(', ')}`],
  );
}

function removeExpressions(part: readonly string[], batch: string): Expressions {
  const builder = new Builder();
  const staged = builder.name(stagedPrefix + batch);
  return builder.build(
    [`attribute_exists(${staged})`],
    [
      `SET ${staged}.${builder.name('folding')} = ${builder.value(true)}`,
      `REMOVE ${part.map((attribute) => builder.name(attribute)).join(', ')}`,
    ],
  );
}

function stagedCondition(builder: Builder, batch: string): string {
  return `attribute_exists(${builder.name(stagedPrefix + batch)})`;
}

/** The expressions that drop a staged change of an aborted batch. */
export function unstageExpressions(patch: Patch, batch: string): Expressions {
  const builder = new Builder();
  if (patch.delete === true)
    return builder.build([goneCondition(builder, batch)], [`REMOVE ${builder.name(goneAttribute)}`]);
  const staged = builder.name(stagedPrefix + batch);
  return builder.build([`attribute_exists(${staged})`], [`REMOVE ${staged}`, removalFromSetting(builder, batch)]);
}

/** The expressions that delete an item that an aborted batch inserted. */
export function eraseExpressions(batch: string): Expressions {
  const builder = new Builder();
  return builder.build([`${builder.name('batch')} = ${builder.value(batch)}`], []);
}

function goneCondition(builder: Builder, batch: string): string {
  return `${builder.name(goneAttribute)} = ${builder.value(batch)}`;
}

function valueConditions(builder: Builder, when: Change['when']): string[] {
  const list = [`attribute_exists(${builder.name('PK')})`, `attribute_not_exists(${builder.name(goneAttribute)})`];
  for (const [attribute, expected] of Object.entries(when ?? {})) {
    const name = builder.name(attribute);
    list.push(expected === undefined ? `attribute_not_exists(${name})` : `${name} = ${builder.value(expected)}`);
  }
  return list;
}

/** Attributes that are written with every change and need not keep the order of changes. */
const unordered: ReadonlySet<string> = new Set(['updatedAt', ...internalAttributes]);

/** Whether a change sets or removes values. Additions do neither: their order does not matter. */
export function setsValues({ set = {}, remove = [] }: Patch): boolean {
  return [...Object.keys(set), ...remove].some((attribute) => !unordered.has(attribute));
}

/**
 * The condition that keeps changes of values in their order. A staged change takes effect only when it is folded, which may be
 * after the present change. So the present change waits until no staged change sets values, unless it has a condition on the
 * revision, which staging raises.
 */
function orderConditions(builder: Builder, patch: Patch, when: Change['when']): string[] {
  const isFree =
    patch.delete === true || !setsValues(patch) || revisions.some((revision) => Object.hasOwn(when ?? {}, revision));
  return isFree ? [] : [`attribute_not_exists(${builder.name(settingAttribute)})`];
}

/** The term that removes a batch from those with staged values. */
const removalFromSetting = (builder: Builder, batch: string) =>
  `DELETE ${builder.name(settingAttribute)} ${builder.value(new Set([batch]))}`;

function updateClauses(builder: Builder, patch: Patch): string[] {
  const clauses: [string, string[]][] = [
    ['SET', Object.entries(patch.set ?? {}).map(([name, value]) => `${builder.name(name)} = ${builder.value(value)}`)],
    ['ADD', Object.entries(patch.add ?? {}).map(([name, value]) => `${builder.name(name)} ${builder.value(value)}`)],
    ['REMOVE', (patch.remove ?? []).map((name) => builder.name(name))],
  ];
  return clauses.filter(([, terms]) => terms.length > 0).map(([verb, terms]) => `${verb} ${terms.join(', ')}`);
}
