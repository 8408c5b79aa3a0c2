import { pythonText } from '../../../python/text.ts';
import type { Did } from '../../../store/entities/did.ts';
import { parseDate } from '../../../time.ts';
import { describeDid } from '../../dids/describe-did.ts';

const dates: ReadonlySet<string> = new Set(
  'accessed_at closed_at created_at deleted_at eol_at expired_at updated_at'.split(' '),
);

/** Columns that Rucio prints with the name of their enumeration. */
const enumerations = new Map([
  ['availability', 'DIDAvailability'],
  ['did_type', 'DIDType'],
]);

/** The columns of a DID as filters compare them: in Python's text form (spec/access.md 3.7). */
export function columnTexts(did: Did): ReadonlyMap<string, string> {
  return new Map(Object.entries(describeDid(did)).map(([name, value]) => [name, textOf(name, value)]));
}

function textOf(name: string, value: unknown): string {
  const text = pythonText(value);
  if (value === null) return text;
  if (dates.has(name)) return new Date(parseDate(text) ?? 0).toISOString().slice(0, 19).replace('T', ' ');
  const enumeration = enumerations.get(name);
  return enumeration === undefined ? text : `${enumeration}.${text}`;
}
