import type { DidType } from '../../../lib/contract/schemas/did.ts';
import { defined } from '../../../lib/defined.ts';
import { isValidDid } from '../../../lib/domain/values/did-names.ts';
import { type Edge, insertEdge, insertHistory } from '../../../lib/store/entities/edge.ts';
import type { Row } from '../../rucio/relations.ts';
import { type Batch, leftOut } from '../batch.ts';
import { makeRaceError } from '../race.ts';
import { section } from '../section.ts';
import { readType } from './did-parts.ts';

const byEdge = ['scope', 'name', 'child_scope', 'child_name'] as const;

type AnyEdge = Pick<Row<'contents'>, 'scope' | 'name' | 'child_scope' | 'child_name' | 'created_at'> & {
  readonly [K in 'bytes' | 'length' | 'events']?: Row<'contents'>[K];
} & { readonly [K in 'adler32' | 'md5' | 'guid']?: string | null };

/** The sections of the content of collections and archives, now and in the past. */
export const contentSections = [
  section({
    name: 'contents',
    drives: 'contents',
    rowsPerRange: 5_000,
    reads: { contents: byEdge },
    convert: ({ contents }, batch) => {
      for (const row of contents) {
        takeEdge('contents', row, batch, readType(row.child_type), (edge) => insertEdge(edge, makeRaceError));
      }
    },
  }),
  section({
    name: 'archives',
    drives: 'archive_contents',
    rowsPerRange: 5_000,
    reads: { archive_contents: ['child_scope', 'child_name', 'scope', 'name'] },
    convert: ({ archive_contents: contents }, batch) => {
      for (const row of contents) {
        takeEdge('archive_contents', row, batch, 'FILE', (edge) =>
          insertEdge({ ...edge, inArchive: true }, makeRaceError),
        );
      }
    },
  }),
  section({
    name: 'contents-history',
    drives: 'contents_history',
    rowsPerRange: 5_000,
    reads: { contents_history: byEdge },
    convert: ({ contents_history: past }, batch) => {
      for (const row of past) {
        takeEdge('contents_history', row, batch, readType(row.child_type), (edge) =>
          insertHistory(edge, row.deleted_at ?? row.updated_at),
        );
      }
    },
  }),
];

function takeEdge(
  table: string,
  row: AnyEdge,
  batch: Batch,
  type: DidType | undefined,
  insert: (edge: Edge) => ReturnType<typeof insertEdge>,
): void {
  const parent = { scope: row.scope, name: row.name };
  const child = { scope: row.child_scope, name: row.child_name };
  const key = [parent.scope, parent.name, child.scope, child.name];
  if (type === undefined || !isValidDid(parent) || !isValidDid(child)) {
    batch.note(table, key, 'Dapple has no DIDs of such names or types', leftOut);
    return;
  }
  const copied = defined({
    bytes: row.bytes ?? undefined,
    length: row.length ?? undefined,
    adler32: row.adler32 ?? undefined,
    md5: row.md5 ?? undefined,
    guid: row.guid ?? undefined,
    events: row.events ?? undefined,
  });
  batch.take(table, key, () => [insert({ parent, child, type, ...copied, createdAt: row.created_at })]);
}
