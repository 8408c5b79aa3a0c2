import { validationError } from '../errors.ts';
import { type AttributeValue, contentOf, typeOf } from '../values/attribute-value.ts';
import { addNumbers } from '../values/number.ts';

type SetType = 'SS' | 'NS' | 'BS';

/** The error of an update that finds a value of the wrong type. */
export function wrongOperandError() {
  return validationError('An operand in the update expression has an incorrect data type');
}

/** Whether a value is a set. */
export function isSet(value: AttributeValue): boolean {
  return 'SS' in value || 'NS' in value || 'BS' in value;
}

/**
 * The result of ADD: a sum, or a union of sets.
 *
 * @param old - the value in the item; undefined if missing.
 * @returns undefined if the types do not match.
 * @throws ValidationException if the sum is out of range.
 */
export function addTo(old: AttributeValue | undefined, operand: AttributeValue): AttributeValue | undefined {
  if (old === undefined) return operand;
  if ('N' in old && 'N' in operand) return { N: addNumbers(old.N, operand.N) };
  if (!isSet(old) || typeOf(old) !== typeOf(operand)) return undefined;
  return toSet(typeOf(old) as SetType, [...new Set([...membersOf(old), ...membersOf(operand)])]);
}

/**
 * The result of DELETE on a set.
 *
 * @returns undefined if the types do not match; an empty set if nothing is left.
 */
export function deleteFrom(old: AttributeValue, operand: AttributeValue): AttributeValue | undefined {
  if (!isSet(old) || typeOf(old) !== typeOf(operand)) return undefined;
  const gone = new Set(membersOf(operand));
  return toSet(
    typeOf(old) as SetType,
    membersOf(old).filter((member) => !gone.has(member)),
  );
}

/** The members of a set. */
export function membersOf(value: AttributeValue): readonly string[] {
  return contentOf(value) as readonly string[];
}

function toSet(type: SetType, members: string[]): AttributeValue {
  return { [type]: members } as AttributeValue;
}
