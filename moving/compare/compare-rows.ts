import { parseNamed } from '../../lib/json-names.ts';
import { parseJson } from '../../lib/json.ts';
import { canonical } from '../rows/canonical.ts';
import type { StoredRow } from '../rows/sorted-rows.ts';
import { decisionOn, refusedNames } from './decided.ts';
import type { FieldDifference, Finding } from './finding.ts';
import { RefusedReplicas, refusedNameField } from './refused-names.ts';
import { textOf } from './source.ts';

/** The member of a row that says why a server could not tell the rest. */
export const problemField = 'cannot be read';

/**
 * Merges two sorted lists of rows and yields one finding for each key.
 *
 * @param refused The replicas whose names Dapple refuses, as far as they are known.
 */
export async function* compareRows(
  part: string,
  left: AsyncIterator<StoredRow>,
  right: AsyncIterator<StoredRow>,
  refused = new RefusedReplicas(),
): AsyncGenerator<Finding> {
  let [one, other] = await Promise.all([nextOf(left), nextOf(right)]);
  while (one !== undefined || other !== undefined) {
    if (other === undefined || (one !== undefined && one.key < other.key)) {
      yield describeSingle('left', one as StoredRow);
      one = await nextOf(left);
    } else if (one === undefined || other.key < one.key) {
      yield describeSingle('right', other);
      other = await nextOf(right);
    } else {
      yield comparePair({ part, refused }, one, other);
      [one, other] = await Promise.all([nextOf(left), nextOf(right)]);
    }
  }
}

async function nextOf(rows: AsyncIterator<StoredRow>): Promise<StoredRow | undefined> {
  const { done, value } = await rows.next();
  return done === true ? undefined : value;
}

const valueOf = (row: StoredRow) => parseJson(row.text) as Record<string, unknown>;
const nameOf = (row: StoredRow) => parseNamed(row.key) as string;

function describeSingle(side: 'left' | 'right', row: StoredRow): Finding {
  const value = valueOf(row);
  const problem = value[problemField];
  const key = nameOf(row);
  if (problem !== undefined) return { kind: 'unreadable', key, side, problem: textOf(problem) };
  if (value[refusedNameField] === undefined) return { kind: side, key, value };
  const [left, right] = side === 'left' ? [value, undefined] : [undefined, value];
  return { kind: 'decided', key, fields: [{ field: refusedNameField, left, right, decision: refusedNames }] };
}

/** The settings shared by all rows of a part. */
interface PartContext {
  readonly part: string;
  readonly refused: RefusedReplicas;
}

function comparePair(context: PartContext, one: StoredRow, other: StoredRow): Finding {
  const key = nameOf(one);
  const [left, right] = [valueOf(one), valueOf(other)];
  const problems = [left[problemField], right[problemField]];
  if (problems.some((problem) => problem !== undefined)) {
    const side = problems[0] === undefined ? 'right' : problems[1] === undefined ? 'left' : 'both';
    return { kind: 'unreadable', key, side, problem: problems.map(textOf).filter(Boolean).join('; ') };
  }
  if (one.text === other.text) return { kind: 'equal', key };
  const fields = listDifferences({ ...context, key }, left, right);
  if (fields.length === 0) return { kind: 'equal', key };
  return { kind: fields.every(({ decision }) => decision !== undefined) ? 'decided' : 'different', key, fields };
}

/** A member that is null and one that is missing are the same: servers leave out what they have no value for. */
function listDifferences(
  thing: PartContext & { readonly key: string },
  left: Record<string, unknown>,
  right: Record<string, unknown>,
): FieldDifference[] {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
  return names.flatMap((field) => {
    const [one, other] = [left[field], right[field]];
    if (canonical(one) === canonical(other)) return [];
    const decision = decisionOn({ ...thing, field, left: one, right: other, leftRow: left, rightRow: right });
    return [{ field, left: one, right: other, ...(decision === undefined ? {} : { decision }) }];
  });
}
