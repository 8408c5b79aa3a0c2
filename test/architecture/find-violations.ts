import { dirname } from 'node:path';

import type { ForbiddenImport } from './folder-rules.ts';
import type { Import } from './imports.ts';

/** The imports that a rule forbids, as lines. */
export function findForbidden(imports: readonly Import[], rules: readonly ForbiddenImport[]): string[] {
  return imports.flatMap(({ from, to }) =>
    rules.filter((rule) => isForbidden(rule, from, to)).map(({ reason }) => `${from} must not import ${to}: ${reason}`),
  );
}

/** The imports between folders that are in a cycle, as lines. A folder and one below it are two folders. */
export function findFolderCycles(imports: readonly Import[]): string[] {
  return findCyclic(imports, dirname).map(
    ({ from, to }) => `${dirname(from)} -> ${dirname(to)} is in a cycle: ${from} imports ${to}`,
  );
}

/** The imports between files that are in a cycle, as lines. Imports of types count. */
export function findFileCycles(imports: readonly Import[]): string[] {
  return findCyclic(imports, (file) => file).map(({ from, to }) => `${from} -> ${to} is in a cycle`);
}

/** The imports between two nodes that reach each other. */
function findCyclic(imports: readonly Import[], nodeOf: (file: string) => string): Import[] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of imports)
    targets.set(nodeOf(from), (targets.get(nodeOf(from)) ?? new Set()).add(nodeOf(to)));
  const components = findComponents(targets);
  return imports.filter(({ from, to }) => {
    const [source, target] = [nodeOf(from), nodeOf(to)];
    return source !== target && components.get(source) === components.get(target);
  });
}

/** The strongly connected component of each node (Tarjan's algorithm). */
function findComponents(targets: ReadonlyMap<string, ReadonlySet<string>>): Map<string, number> {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const components = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    stack.push(node);
    let low = index;
    for (const target of targets.get(node) ?? []) {
      if (components.has(target)) continue;
      low = Math.min(low, lowest.get(target) ?? order.get(target) ?? visit(target));
    }
    lowest.set(node, low);
    if (low === index) for (let member; member !== node;) components.set((member = stack.pop() as string), index);
    return low;
  };
  for (const node of targets.keys()) if (!order.has(node)) visit(node);
  return components;
}

function isForbidden({ from: source, to: target, except }: ForbiddenImport, from: string, to: string): boolean {
  const match = source.exec(from);
  if (match === null || !target.test(to)) return false;
  return except === undefined || !to.startsWith(except.replace('$1', match[1] ?? ''));
}
