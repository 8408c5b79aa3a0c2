import type { DidKey } from '../../lib/contract/schemas/did.ts';
import type { Row } from '../rows/sorted-rows.ts';
import type { Sample } from './sample.ts';
import type { Session } from './session.ts';

/** A DID as the list of its scope has it. */
export interface ListedDid {
  readonly scope: string;
  readonly name: string;
  readonly type: string;
}

/** One of the two servers, from which a part is read. */
export interface Source {
  readonly session: Session;
  /** Requests under way at a time. */
  readonly parallel: number;
}

/** The DIDs of one scope of a server. */
export interface ScopeSource extends Source {
  readonly scope: string;
  /** The chosen DIDs of the scope; can be read again and again. */
  dids(): AsyncIterable<ListedDid>;
  /** Whether a DID was chosen. */
  readonly isChosen: Sample;
}

/** A part of the whole catalogue. */
export interface GlobalPart {
  readonly name: string;
  /** It is compared after the DIDs, since they explain some of its differences. */
  readonly isLast?: boolean;
  read(source: Source): AsyncIterable<Row>;
}

/** A part that is read scope by scope. */
export interface ScopePart {
  readonly name: string;
  read(source: ScopeSource): AsyncIterable<Row>;
}

/** A value of an answer, as a text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
}

/** The DID that a row of an answer is about. */
export function didOf({ scope, name }: Readonly<Record<string, unknown>>): DidKey {
  return { scope: textOf(scope), name: textOf(name) };
}

/** The members of an answer but some, whose content is in the key of the row or depends on the server. */
export function without(row: Readonly<Record<string, unknown>>, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

/** The members of an object under names with a prefix, so that each is compared by itself. */
export function spread(prefix: string, members: unknown): Record<string, unknown> {
  const entries = Object.entries((members ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, value]) => [`${prefix} ${name}`, value]));
}

/** The path of a DID below `/dids`, `/archives` or `/locks`. */
export function pathOf({ scope, name }: { readonly scope: string; readonly name: string }): string {
  return `${encodeURIComponent(scope)}/${encodeURIComponent(name)}`;
}
