import fc from 'fast-check';

import { anyText, anyValue } from './values.ts';

type Node = Record<string, unknown> | unknown[];

/** Changes that make a valid value slightly invalid. */
const changes = [
  'a member is something else',
  'a member is missing',
  'a member is there twice',
  'there is one too many',
] as const;

/** Values that differ from valid ones in one place, at any depth. */
export function nearly(fitting: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(fitting, fc.constantFrom(...changes), fc.nat(), fc.nat(), anyText, anyValue)
    .map(([value, change, atNode, atMember, key, other]) => {
      const copy = structuredClone(value);
      const nodes = nodesOf(copy);
      const node = nodes[atNode % Math.max(1, nodes.length)];
      if (node === undefined) return other;
      const members = Object.keys(node);
      const member = members[atMember % Math.max(1, members.length)] ?? (Array.isArray(node) ? '0' : key);
      apply(node, change, { member, key, other });
      return copy;
    });
}

function nodesOf(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Node, ...Object.values(value).flatMap((member) => nodesOf(member))];
}

function apply(
  node: Node,
  change: (typeof changes)[number],
  { member, key, other }: { member: string; key: string; other: unknown },
): void {
  const record = node as Record<string, unknown>;
  const isList = Array.isArray(node);
  switch (change) {
    case 'a member is something else':
      return define(record, member, other);
    case 'a member is missing':
      if (isList) node.splice(Number(member) || 0, 1);
      else Reflect.deleteProperty(record, member);
      return;
    case 'a member is there twice':
      return define(record, isList ? String(node.length) : key, Object.hasOwn(record, member) ? record[member] : other);
    case 'there is one too many':
      return define(record, isList ? String(node.length) : key, other);
  }
}

/** Like JSON.parse: `__proto__` is an ordinary member. */
function define(record: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
}
