import { goneAttribute, revisions, stagedPrefix, type Item, type Patch } from './item.ts';
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
  return builder.build(conditions(builder, when), patch.delete === true ? [] : updates(builder, patch));
}

/** The expressions that make sure that an item is as a change wants it. */
export function checkExpressions({ when }: Change): Expressions {
  const builder = new Builder();
  return builder.build(conditions(builder, when), []);
}

/** The expressions that leave a change beside the item's present values, for a batch to come. */
export function stageExpressions({ patch, when }: Change, batch: string): Expressions {
  const builder = new Builder();
  const condition = conditions(builder, when);
  const [attribute, value] = patch.delete === true ? [goneAttribute, batch] : [stagedPrefix + batch, patch];
  const set = `SET ${builder.name(attribute)} = ${builder.value(value)}`;
  // Whoever has read the item before must notice that something has begun.
  const counted = revisions.filter((revision) => patch.add?.[revision] !== undefined);
  const bumps = counted.map((revision) => `${builder.name(revision)} ${builder.value(1)}`);
  return builder.build(condition, [set, ...(bumps.length > 0 ? [`ADD ${bumps.join(', ')}`] : [])]);
}

/**
 * The expressions that fold a staged change into the item once its batch is committed. The time of the folding stays:
 * a reader that began before it has read the item too late.
 */
export function foldExpressions(patch: Patch, batch: string): Expressions {
  const builder = new Builder();
  if (patch.delete === true) return builder.build([isGone(builder, batch)], []);
  const staged = `attribute_exists(${builder.name(stagedPrefix + batch)})`;
  const set = { ...patch.set, foldedAt: Date.now() };
  return builder.build(
    [staged],
    updates(builder, { ...patch, set, remove: [...(patch.remove ?? []), stagedPrefix + batch] }),
  );
}

/** The expressions that drop a staged change whose batch was given up. */
export function unstageExpressions(patch: Patch, batch: string): Expressions {
  const builder = new Builder();
  if (patch.delete === true) return builder.build([isGone(builder, batch)], [`REMOVE ${builder.name(goneAttribute)}`]);
  const staged = builder.name(stagedPrefix + batch);
  return builder.build([`attribute_exists(${staged})`], [`REMOVE ${staged}`]);
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

function updates(builder: Builder, patch: Patch): string[] {
  const clauses: [string, string[]][] = [
    ['SET', Object.entries(patch.set ?? {}).map(([name, value]) => `${builder.name(name)} = ${builder.value(value)}`)],
    ['ADD', Object.entries(patch.add ?? {}).map(([name, value]) => `${builder.name(name)} ${builder.value(value)}`)],
    ['REMOVE', (patch.remove ?? []).map((name) => builder.name(name))],
  ];
  return clauses.filter(([, terms]) => terms.length > 0).map(([verb, terms]) => `${verb} ${terms.join(', ')}`);
}

/** The longest statement that DynamoDB takes, in bytes. */
const longestStatement = 8192;

/** Says whether an item can be inserted by a statement, which names each of its attributes. */
export function fitsStatement(tableName: string, item: Item): boolean {
  return Buffer.byteLength(insertStatement(tableName, item).Statement) <= longestStatement;
}

/** The PartiQL statement of a conditional put. */
export function insertStatement(tableName: string, item: Item): { Statement: string; Parameters: unknown[] } {
  const entries = Object.entries(item).filter(([, value]) => value !== undefined);
  const members = entries.map(([name]) => `'${name.replaceAll("'", "''")}': ?`).join(', ');
  return {
    Statement: `INSERT INTO "${tableName}" VALUE {${members}}`,
    Parameters: entries.map(([, value]) => value),
  };
}
