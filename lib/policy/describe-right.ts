import type { Right, Role } from './rights.ts';

/** A right in words, with names between backticks; that of root and admins is always told first. */
export function describeRight(right: Right): string {
  if (typeof right === 'string') return right;
  if ('any' in right) return right.any.map(describePart).join('; or ');
  if ('all' in right) return right.all.map(describePart).join(', and ');
  if ('not' in right) return `not ${describePart(right.not)}`;
  if ('has' in right) return `attribute ${code(right.has)}`;
  if ('owns' in right) return ['its own scope', ...right.owns.map((scope) => `the scope ${code(scope)}`)].join(' or ');
  if ('role' in right) return describeRole(right.role);
  if ('roleAt' in right) {
    const { attribute, types, every } = right.roleAt;
    const kind = types === undefined ? '' : ` of the type ${types.map(code).join(' or ')}`;
    return `${describeRole(right.roleAt)} of the ${code(attribute)} of ${every ? 'all RSEs' : 'an RSE'}${kind}`;
  }
  if ('listedIn' in right)
    return `listed in ${code(right.listedIn.attribute)} of ${right.listedIn.every ? 'all RSEs' : 'an RSE'}`;
  if ('rse' in right) return `RSEs ${code(right.rse)}`;
  if ('rseIs' in right)
    return `an RSE with ${code(right.rseIs.attribute)} = ${right.rseIs.values.map(code).join(' or ')}`;
  if ('keeps' in right) return `without a change of ${listOf(right.keeps)}`;
  if ('changesOnly' in right) return `a change of nothing but ${listOf(right.changesOnly)}`;
  return `files: ${right.files}`;
}

const describePart = (right: Right) =>
  typeof right === 'object' && ('any' in right || 'all' in right) ? `(${describeRight(right)})` : describeRight(right);

const describeRole = ({ prefix, values }: Role) => `${code(`${prefix}...`)} = ${values.map(code).join(' or ')}`;

const code = (text: string) => `\`${text}\``;

const listOf = (texts: readonly string[]) => texts.map(code).join(', ');
