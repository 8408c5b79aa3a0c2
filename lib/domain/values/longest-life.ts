import type { Rse } from '../../store/entities/rse.ts';
import type { Rule } from '../../store/entities/rule.ts';

/** The attribute of an RSE that bounds the lifetime of rules on it, in seconds. */
const attribute = 'max_rule_lifetime';

/**
 * How long a rule may live that may be placed on some RSEs, in milliseconds: the shortest of the bounds that they set. Undefined:
 * none of them does.
 */
export function findLongestLife(rses: readonly Pick<Rse, 'attributes'>[]): number | undefined {
  const bounds = rses.flatMap(({ attributes }) => {
    const seconds = Object.hasOwn(attributes, attribute) ? Number(attributes[attribute]) : Number.NaN;
    return Number.isSafeInteger(seconds * 1_000) && seconds > 0 ? [seconds * 1_000] : [];
  });
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}

/** A rule that ends in time. @param since From when on its lifetime counts, in milliseconds since 1970. */
export function endInTime<R extends Pick<Rule, 'expiresAt'>>(rule: R, longest: number | undefined, since: number): R {
  const latest = longest === undefined ? Number.POSITIVE_INFINITY : since + longest;
  return (rule.expiresAt ?? Number.POSITIVE_INFINITY) <= latest ? rule : { ...rule, expiresAt: latest };
}
