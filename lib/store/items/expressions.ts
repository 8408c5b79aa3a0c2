import { chunksOf } from './chunks.ts';
import {
  countedAtBeginning,
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

class Builder {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};

  name(attribute: string): string {
    const key = `#n${Object.keys(this.names).length}`;
    this.names[key] = attribute;
    return key;
  }

  value(value: unknown): string {
    const key = `:v${Object.keys(this.values).length}`;
    this.values[key] = value;
    return key;
  }

  build(condition: readonly string[], update: readonly string[]): Expressions {
    return {
      ConditionExpression: condition.join(' AND '),
      ExpressionAttributeNames: this.names,
      ...(Object.keys(this.values).length > 0 ? { ExpressionAttributeValues: this.values } : {}),
      ...(update.length > 0 ? { UpdateExpression: update.join(' ') } : {}),
    };
  }
}

/** The expressions that make a change at once. */
export function changeExpressions({ patch, when }: Change): Expressions {
  const builder = new Builder();
  return builder.build(
    [...conditions(builder, when), ...inOrder(builder, patch, when)],
    patch.delete === true ? [] : updates(builder, patch),
  );
}

/** The expressions that make sure that an item is as a change wants it. */
export function checkExpressions({ when }: Change): Expressions {
  const builder = new Builder();
  return builder.build(conditions(builder, when), []);
}

/** The expressions that leave a change beside the item's present values, for a batch to come. */
export function stageExpressions({ patch, when }: Change, batch: string): Expressions {
  const builder = new Builder();
  const condition = [...conditions(builder, when), ...inOrder(builder, patch, when)];
  const [attribute, value] = patch.delete === true ? [goneAttribute, batch] : [stagedPrefix + batch, patch];
  const set = `SET ${builder.name(attribute)} = ${builder.value(value)}`;
  // Whoever has read the item before must notice that something has begun.
  const counted = countedAtBeginning.filter((revision) => patch.add?.[revision] !== undefined);
  const bumps = counted.map((revision) => `${builder.name(revision)} ${builder.value(1)}`);
  const setting = isSetting(patch) ? [`${builder.name(settingAttribute)} ${builder.value(new Set([batch]))}`] : [];
  const additions = [...bumps, ...setting];
  return builder.build(condition, [set, ...(additions.length > 0 ? [`ADD ${additions.join(', ')}`] : [])]);
}

/**
 * The requests, one after the other, that fold a staged change into the item once its batch is committed. One, unless the
 * change has more attributes than an expression holds. The time of the folding stays: a reader that began before it has
 * read the item too late.
 *
 * What a part sets, it takes out of the staged change, so that the item does not grow and another writer can go on from
 * there. A part is refused where somebody else has done it.
 */
export function foldExpressions(patch: Patch, batch: string): Expressions[] {
  if (patch.delete === true) {
    const builder = new Builder();
    return [builder.build([isGone(builder, batch)], [])];
  }
  if (fitsExpression(patch)) return [lastFold(patch, batch)];
  const sets = Object.entries(patch.set ?? {});
  const removes = patch.remove ?? [];
  return [
    ...chunksOf(sets, termsPerPart).map((part) => moveExpressions(part, batch)),
    ...chunksOf(removes, termsPerPart).map((part) => removeExpressions(part, batch)),
    lastFold(patch.add === undefined ? {} : { add: patch.add }, batch),
  ];
}

/** What an expression holds, in bytes. */
const longestExpression = 4096;

/** Attributes that a part of a fold sets: each is named in the change, in the removal and in the condition. */
const termsPerPart = 60;

/** Room for what comes to a change on its way: the stamp, the time of the folding, the id of the write. */
const roomInExpression = 100;

/** Whether a change of an item can be made by one expression. */
export function fitsExpression(patch: Patch): boolean {
  const update = updates(new Builder(), patch).join(' ');
  return Buffer.byteLength(update) <= longestExpression - roomInExpression;
}

function lastFold(patch: Patch, batch: string): Expressions {
  const builder = new Builder();
  const set = { ...patch.set, foldedAt: Date.now() };
  const remove = [...(patch.remove ?? []), stagedPrefix + batch];
  return builder.build(
    [isStaged(builder, batch)],
    [...updates(builder, { ...patch, set, remove }), notSetting(builder, batch)],
  );
}

/** Sets attributes and takes them out of the staged change, which from now on is seen by every reader. */
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

function isStaged(builder: Builder, batch: string): string {
  return `attribute_exists(${builder.name(stagedPrefix + batch)})`;
}

/** The expressions that drop a staged change whose batch was given up. */
export function unstageExpressions(patch: Patch, batch: string): Expressions {
  const builder = new Builder();
  if (patch.delete === true) return builder.build([isGone(builder, batch)], [`REMOVE ${builder.name(goneAttribute)}`]);
  const staged = builder.name(stagedPrefix + batch);
  return builder.build([`attribute_exists(${staged})`], [`REMOVE ${staged}`, notSetting(builder, batch)]);
}

/** The expressions that delete what a batch inserted that was given up. */
export function eraseExpressions(batch: string): Expressions {
  const builder = new Builder();
  return builder.build([`${builder.name('batch')} = ${builder.value(batch)}`], []);
}

function isGone(builder: Builder, batch: string): string {
  return `${builder.name(goneAttribute)} = ${builder.value(batch)}`;
}

function conditions(builder: Builder, when: Change['when']): string[] {
  const list = [`attribute_exists(${builder.name('PK')})`, `attribute_not_exists(${builder.name(goneAttribute)})`];
  for (const [attribute, expected] of Object.entries(when ?? {})) {
    const name = builder.name(attribute);
    list.push(expected === undefined ? `attribute_not_exists(${name})` : `${name} = ${builder.value(expected)}`);
  }
  return list;
}

/** What is written with every change, and need not keep the order of changes. */
const unordered: ReadonlySet<string> = new Set(['updatedAt', ...internalAttributes]);

/** Whether a change gives attributes values that do not follow from those before. */
export function isSetting({ set = {}, remove = [] }: Patch): boolean {
  return [...Object.keys(set), ...remove].some((attribute) => !unordered.has(attribute));
}

/**
 * The condition that keeps values in the order in which they were given. A change that was staged before may be folded
 * after this one; whoever has not read the item, or does not name the revision that it read, must not come between.
 */
function inOrder(builder: Builder, patch: Patch, when: Change['when']): string[] {
  const isFree =
    patch.delete === true || !isSetting(patch) || revisions.some((revision) => Object.hasOwn(when ?? {}, revision));
  return isFree ? [] : [`attribute_not_exists(${builder.name(settingAttribute)})`];
}

/** The term that takes a batch out of those that have values waiting. */
const notSetting = (builder: Builder, batch: string) =>
  `DELETE ${builder.name(settingAttribute)} ${builder.value(new Set([batch]))}`;

function updates(builder: Builder, patch: Patch): string[] {
  const clauses: [string, string[]][] = [
    ['SET', Object.entries(patch.set ?? {}).map(([name, value]) => `${builder.name(name)} = ${builder.value(value)}`)],
    ['ADD', Object.entries(patch.add ?? {}).map(([name, value]) => `${builder.name(name)} ${builder.value(value)}`)],
    ['REMOVE', (patch.remove ?? []).map((name) => builder.name(name))],
  ];
  return clauses.filter(([, terms]) => terms.length > 0).map(([verb, terms]) => `${verb} ${terms.join(', ')}`);
}
