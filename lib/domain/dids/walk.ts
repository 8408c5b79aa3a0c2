import type { DidKey } from '../../contract/schemas/did.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Edge, listChildren } from '../../store/entities/edge.ts';
import type { Table } from '../../store/table.ts';
import { formatDid } from './names.ts';

/**
 * All different datasets below a container, through any nesting. Level by level; what was seen is not entered again, so
 * a circle ends.
 */
export async function* datasetsBelow(table: Table, container: DidKey): AsyncGenerator<Did> {
  const seen = new Set([formatDid(container)]);
  let level: DidKey[] = [container];
  while (level.length > 0) {
    const datasets: DidKey[] = [];
    const containers: DidKey[] = [];
    for (const parent of level) {
      for await (const { child, type } of listChildren(table, parent)) {
        if (seen.has(formatDid(child))) continue;
        seen.add(formatDid(child));
        (type === 'DATASET' ? datasets : containers).push(child);
      }
    }
    yield* await getDids(table, datasets);
    level = containers;
  }
}

/** An attachment with its depth below the DID where a walk began; its direct content is at 1. */
export interface Step {
  readonly edge: Edge;
  readonly level: number;
}

/**
 * Everything below a DID, depth first, children in order of their names. A DID that can be reached twice comes twice; a
 * DID that is above itself is not entered again.
 *
 * @param depth How many levels down.
 */
export async function* descend(
  table: Table,
  top: DidKey,
  depth: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<Step> {
  const path = [{ did: formatDid(top), edges: listChildren(table, top) }];
  try {
    for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
      const next = await here.edges.next();
      if (next.done === true) {
        path.pop();
        continue;
      }
      const edge = next.value;
      yield { edge, level: path.length };
      const child = formatDid(edge.child);
      if (edge.type !== 'FILE' && path.length < depth && path.every(({ did }) => did !== child)) {
        path.push({ did: child, edges: listChildren(table, edge.child) });
      }
    }
  } finally {
    await Promise.all(path.map(({ edges }) => edges.return(undefined)));
  }
}
