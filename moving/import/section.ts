import type { RelationName, Rows } from '../rucio/relations.ts';
import type { Reads } from '../rucio/source.ts';
import type { Batch } from './batch.ts';
import type { ImportContext } from './import-context.ts';

/** A part of the import: the rows of some relations, range by range, become items. */
export interface Section<Name extends RelationName = RelationName> {
  readonly name: string;
  /** The relation whose rows the ranges count; without its tables the section is empty. */
  readonly drives: NoInfer<Name>;
  /** Rows of that relation in a range. */
  readonly rowsPerRange: number;
  /** The relations read for each range, with the columns that are compared with its bounds. */
  readonly reads: Reads<Name>;
  /** The conversion needs the sums of the sections before it. */
  readonly needsSums?: true;
  /** Converts the rows of a range. */
  readonly convert: (rows: Rows<Name>, batch: Batch, context: ImportContext) => void;
}

/** Declares a section; the list of all sections does not know their relations. */
export function section<Name extends RelationName>(declared: Section<Name>): Section {
  return declared as unknown as Section;
}
