import { type EngineError, validationError } from '../errors.ts';
import { render } from './rendering.ts';
import type { ListShape, MapShape, NumberShape, Shape, StructureShape, TextShape } from './shapes/shape.ts';

/** A constraint that a part of a request violates. */
export interface Violation {
  readonly path: string;
  readonly text: string;
  /** The message if nothing else is wrong, where that differs. */
  readonly alone: string | undefined;
}

/** Checks the constraints of a present part of a request, and adds violations to a list. */
export type Checker = (value: unknown, path: string, found: Violation[]) => void;

/** DynamoDB reports at most this many violations. */
const maxViolations = 10;

/** Compiles the checker of a shape; undefined without constraints. */
export function compileChecker(shape: Shape): Checker | undefined {
  switch (shape.kind) {
    case 'text':
      return compileText(shape);
    case 'number':
      return compileNumber(shape);
    case 'list':
      return compileList(shape);
    case 'map':
      return compileMap(shape);
    case 'structure':
      return compileStructure(shape);
    default:
      return undefined;
  }
}

/** The error of a request that violates constraints, in DynamoDB's words. */
export function describeViolations(found: readonly Violation[]): EngineError {
  const [first] = found;
  if (first?.alone !== undefined && found.every(({ path }) => path === first.path)) return validationError(first.alone);
  const named = found.slice(0, maxViolations);
  const heading = `${named.length} validation error${named.length === 1 ? '' : 's'} detected: `;
  return validationError(heading + named.map(({ text }) => text).join('; '));
}

function report(found: Violation[], shape: Shape, value: unknown, path: string, constraint: string): void {
  const shown = value === null ? 'null' : `'${render(value, shape)}'`;
  found.push({
    path,
    text: `Value ${shown} at '${path}' failed to satisfy constraint: ${constraint}`,
    alone: value === null ? undefined : shape.alone?.(path, value),
  });
}

const missing = 'Member must not be null';
const atLeast = (measure: string, bound: number) => `Member must have ${measure} greater than or equal to ${bound}`;
const atMost = (measure: string, bound: number) => `Member must have ${measure} less than or equal to ${bound}`;
const matching = (pattern: RegExp) =>
  `Member must satisfy regular expression pattern: ${pattern.source.replace(/^\^|\$$/g, '')}`;

function compileText(shape: TextShape): Checker | undefined {
  const { pattern, oneOf, least, most } = shape;
  if (oneOf !== undefined) {
    const names = new Set<unknown>(oneOf);
    const constraint = `Member must satisfy enum value set: [${oneOf.join(', ')}]`;
    return (value, path, found) => {
      if (!names.has(value)) report(found, shape, value, path, constraint);
    };
  }
  const checkBounds = compileBounds(shape, 'length', least, most);
  if (pattern === undefined)
    return checkBounds && ((value, path, found) => checkBounds((value as string).length, value, path, found));
  return (value, path, found) => {
    const name = value as string;
    if (!pattern.test(name)) report(found, shape, value, path, matching(pattern));
    checkBounds?.(name.length, value, path, found);
  };
}

type BoundsChecker = (measured: number, value: unknown, path: string, found: Violation[]) => void;

function compileBounds(
  shape: Shape,
  measure: 'length' | 'value',
  least = -Infinity,
  most = Infinity,
): BoundsChecker | undefined {
  if (least === -Infinity && most === Infinity) return undefined;
  return (measured, value, path, found) => {
    if (measured < least) report(found, shape, value, path, atLeast(measure, least));
    if (measured > most) report(found, shape, value, path, atMost(measure, most));
  };
}

function compileNumber(shape: NumberShape): Checker | undefined {
  const checkBounds = compileBounds(shape, 'value', shape.least, shape.most);
  return checkBounds && ((value, path, found) => checkBounds(value as number, value, path, found));
}

function compileList(shape: ListShape): Checker {
  const checkLength = compileBounds(shape, 'length', shape.least, shape.most);
  const check = compileChecker(shape.member);
  // Attribute values are checked later, and may be null until then.
  const isOfValues = shape.member.kind === 'value';
  return (value, path, found) => {
    const members = value as readonly unknown[];
    checkLength?.(members.length, value, path, found);
    if (isOfValues) return;
    for (let i = 0; i < members.length; i += 1) {
      const one = members[i];
      if (one === null) report(found, shape.member, null, `${path}.${i + 1}.member`, missing);
      else if (check !== undefined && violates(check, one)) check(one, `${path}.${i + 1}.member`, found);
    }
  };
}

/** Whether a part violates a constraint. Its path is made for a report only: requests have many members and few violations. */
function violates(check: Checker, value: unknown): boolean {
  const found: Violation[] = [];
  check(value, '', found);
  return found.length > 0;
}

function compileMap(shape: MapShape): Checker | undefined {
  const { keys, member } = shape;
  if (member.kind === 'value' || member.kind === 'text') return undefined;
  const checkLength = compileBounds(shape, 'length', shape.least, shape.most);
  const rules = [
    keys && compileRule(shape, 'keys', keys, (entries) => Object.keys(entries)),
    shape.membersAtMap === true ? compileRule(shape, 'value', member, (entries) => Object.values(entries)) : undefined,
  ].filter((rule) => rule !== undefined);
  const check = compileChecker(shape.membersAtMap === true ? withoutBounds(member) : member);
  return (value, path, found) => {
    const entries = value as Readonly<Record<string, unknown>>;
    const names = Object.keys(entries);
    checkLength?.(names.length, value, path, found);
    for (const checkRule of rules) checkRule(value, path, found);
    for (const name of names) {
      const one = entries[name];
      if (one === null) report(found, member, null, `${path}.${name}.member`, missing);
      else check?.(one, `${path}.${name}.member`, found);
    }
  };
}

/**
 * Compiles the checker of a constraint that DynamoDB reports for the map: that of all its keys, or of all its members.
 */
function compileRule(
  map: MapShape,
  part: 'keys' | 'value',
  shape: Shape,
  select: (entries: Readonly<Record<string, unknown>>) => readonly unknown[],
): Checker {
  const check = compileChecker(shape.kind === 'list' ? { ...shape, member: { kind: 'value' } } : shape);
  const constraint = `Map ${part} must satisfy constraint: [${listConstraints(shape).join(', ')}]`;
  return (value, path, found) => {
    const violated: Violation[] = [];
    for (const one of select(value as Readonly<Record<string, unknown>>))
      if (one !== null) check?.(one, path, violated);
    if (violated.length > 0) report(found, map, value, path, constraint);
  };
}

function listConstraints(shape: Shape): string[] {
  if (shape.kind !== 'text' && shape.kind !== 'list') return [];
  const constraints = [];
  if (shape.most !== undefined) constraints.push(atMost('length', shape.most));
  if (shape.least !== undefined) constraints.push(atLeast('length', shape.least));
  if (shape.kind === 'text' && shape.pattern !== undefined) constraints.push(matching(shape.pattern));
  return constraints;
}

function withoutBounds(shape: Shape): Shape {
  return shape.kind === 'list' ? { kind: 'list', member: shape.member } : shape;
}

function compileStructure({ members }: StructureShape): Checker | undefined {
  const checks = Object.entries(members)
    .map(([name, shape]) => ({
      name,
      path: name.charAt(0).toLowerCase() + name.slice(1),
      shape,
      check: compileChecker(shape),
    }))
    .filter(({ shape, check }) => shape.required === true || check !== undefined);
  if (checks.length === 0) return undefined;
  return (value, path, found) => {
    const read = value as Readonly<Record<string, unknown>>;
    for (const member of checks) {
      const one = read[member.name];
      if (one !== undefined) member.check?.(one, join(path, member.path), found);
      else if (member.shape.required === true) report(found, member.shape, null, join(path, member.path), missing);
    }
  };
}

const join = (path: string, member: string) => (path === '' ? member : `${path}.${member}`);
