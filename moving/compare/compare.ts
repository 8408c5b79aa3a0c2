import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Row, sortRows } from '../rows/sorted-rows.ts';
import { compareRows } from './compare-rows.ts';
import { readDids, saveDids } from './did-list.ts';
import { findHiddenDids } from './hidden-dids.ts';
import { listDids } from './parts/dids.ts';
import { globalParts, scopeParts } from './parts/parts.ts';
import { RefusedReplicas } from './refused-names.ts';
import type { Report } from './report.ts';
import type { Sample } from './sample.ts';
import { RequestError, type Session } from './session.ts';
import { type GlobalPart, type ListedDid, type ScopeSource, textOf } from './source.ts';

/** The servers, the parts and the settings of a comparison. */
export interface Comparison {
  readonly left: Session;
  readonly right: Session;
  /** Names of parts; empty: all. */
  readonly only: readonly string[];
  /** Scopes whose DIDs are compared; empty: all scopes of both servers. */
  readonly scopes: readonly string[];
  readonly isChosen: Sample;
  /** Requests under way to each server at a time. */
  readonly parallel: number;
  /** Hears of each thing that was compared. */
  readonly onProgress: (part: string, scope: string | undefined) => void;
}

/** The readers of a part on both servers. */
type Sides = readonly [left: AsyncIterable<Row>, right: AsyncIterable<Row>];

/** Compares two servers part by part, and reports what it finds. @throws RequestError if a server cannot be read. */
export async function compareServers(comparison: Comparison, report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dapple-compare-'));
  const sessions = [comparison.left, comparison.right] as const;
  const isWanted = ({ name }: { readonly name: string }) =>
    comparison.only.length === 0 || comparison.only.includes(name);
  const refused = new RefusedReplicas();
  const run = async (part: string, [left, right]: Sides, scope?: string) => {
    report.begin(part);
    const sorted = [sortRows(left, folder), sortRows(right, folder)] as const;
    for await (const finding of compareRows(part, ...sorted, refused)) {
      report.add(part, finding);
      if (part === 'replicas') refused.add(finding);
      comparison.onProgress(part, scope);
    }
  };
  const runAll = async (parts: readonly GlobalPart[]) => {
    for (const part of parts) {
      const [left, right] = sessions.map((session) => part.read({ session, parallel: comparison.parallel }));
      await run(part.name, [left, right] as unknown as Sides);
    }
  };
  const wanted = globalParts.filter(isWanted);
  const parts = scopeParts.filter(isWanted);
  try {
    for (const part of [...wanted, ...parts]) report.begin(part.name);
    await runAll(wanted.filter(({ isLast }) => isLast !== true));
    for (const scope of parts.length === 0 ? [] : await listScopes(comparison)) {
      const sources = await openScope(comparison, scope, folder);
      for (const part of parts) {
        await run(part.name, sources.map((source) => part.read(source)) as unknown as Sides, scope);
      }
    }
    await runAll(wanted.filter(({ isLast }) => isLast === true));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The scopes to compare: those that either server has. */
async function listScopes({ left, right, scopes }: Comparison): Promise<string[]> {
  if (scopes.length > 0) return [...scopes];
  const lists = await Promise.all([left, right].map((session) => session.rows('GET', '/scopes/owner/')));
  return [...new Set(lists.flat().map(({ scope }) => textOf(scope)))].sort();
}

/** The most attempts to read the list of a scope if it breaks off. */
const maxLists = 3;

/** Lists a scope of both servers, with the DIDs that one of them hides. */
async function openScope(comparison: Comparison, scope: string, folder: string): Promise<ScopeSource[]> {
  const { isChosen, parallel } = comparison;
  const open = async (session: Session, file: string) => {
    await listScope(comparison, session, scope, file);
    return { session, parallel, file };
  };
  const lists = await Promise.all([
    open(comparison.left, join(folder, 'dids-left')),
    open(comparison.right, join(folder, 'dids-right')),
  ]);
  for (const [side, hidden] of (await findHiddenDids(lists, folder)).entries()) {
    await saveDids(asList(hidden), lists[side]?.file ?? '', 'a');
  }
  return lists.map(({ session, file }) => ({ session, parallel, scope, isChosen, dids: () => readDids(file) }));
}

async function* asList<T>(elements: Iterable<T>): AsyncGenerator<T> {
  yield* elements;
}

/** Lists a scope of a server once, into a file. A scope that the server does not have is empty. */
async function listScope({ isChosen }: Comparison, session: Session, scope: string, file: string): Promise<void> {
  for (let list = 1; ; list += 1) {
    try {
      await saveDids(choose(listDids(session, scope), isChosen), file);
      return;
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 0 || list === maxLists) throw error;
    }
  }
}

async function* choose(dids: AsyncIterable<ListedDid>, isChosen: Sample): AsyncGenerator<ListedDid> {
  try {
    for await (const did of dids) if (isChosen(did)) yield did;
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 404) throw error;
  }
}
