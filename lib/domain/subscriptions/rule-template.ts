import { defined } from '../../defined.ts';
import { parseJson } from '../../json.ts';
import { pythonText } from '../../python/text.ts';

/** A rule of a subscription before its RSEs are chosen (spec/access.md 3.8). */
export interface RuleTemplate {
  readonly rseExpression: string;
  /** `all`: one per RSE of the expression. */
  readonly copies: number | 'all';
  /** Absent: the option `rules/default_activity`. */
  readonly activity?: string;
  /** In seconds; absent: unlimited. */
  readonly lifetime?: number;
  /** Absent: the account of the subscription. */
  readonly account?: string;
  /** Absent: the comments of the subscription. */
  readonly comments?: string;
  readonly weight?: string;
  readonly grouping?: string;
  readonly sourceReplicaExpression?: string;
  /** In seconds. */
  readonly delayInjection?: number;
  readonly locked: boolean;
  readonly purgeReplicas: boolean;
  readonly ignoreAvailability: boolean;
  /** Its RSEs depend on those that another template has chosen. */
  readonly chain?: Chain;
}

/**
 * The link of a template to an earlier template of the same subscription, whose place is `index` (from 0). Where a rule of the earlier
 * template has chosen an RSE, the RSEs of this template depend on it:
 *
 * - `associated_site`: those of one of its associated sites, the one at the place `siteIndex` (from 0);
 * - `exclude_site`: those of all sites but its own.
 */
export type Chain =
  | { readonly index: number; readonly algorithm: 'associated_site'; readonly siteIndex: number }
  | { readonly index: number; readonly algorithm: 'exclude_site' };

/**
 * Parses the rule templates of a subscription. A template that cannot be used is undefined, so that the places of the others
 * stay the same: one without an expression or copies, or one that is linked to a template that does not precede it.
 *
 * @param text The stored JSON.
 */
export function readTemplates(text: string): readonly (RuleTemplate | undefined)[] {
  return (parseJson(text) as readonly object[]).map(readTemplate);
}

function readTemplate(object: object, place: number): RuleTemplate | undefined {
  const values = new Map<string, unknown>(Object.entries(object));
  const rseExpression = textOf(values.get('rse_expression'));
  const copies = values.get('copies') === '*' ? 'all' : integerOf(values.get('copies'));
  const chain = readChain(values, place);
  if (rseExpression === undefined || copies === undefined || chain === 'impossible') return undefined;
  const optional = defined({
    activity: textOf(values.get('activity')),
    lifetime: integerOf(values.get('lifetime')),
    account: textOf(values.get('account')),
    comments: textOf(values.get('comments')),
    weight: textOf(values.get('weight')),
    grouping: textOf(values.get('grouping')),
    sourceReplicaExpression: textOf(values.get('source_replica_expression')),
    delayInjection: integerOf(values.get('delay_injection')),
    chain,
  });
  return {
    ...optional,
    rseExpression,
    copies,
    locked: isTrue(values.get('locked')),
    purgeReplicas: isTrue(values.get('purge_replicas')),
    ignoreAvailability: isTrue(values.get('ignore_availability')),
  };
}

function readChain(values: ReadonlyMap<string, unknown>, place: number): Chain | undefined | 'impossible' {
  const index = integerOf(values.get('chained_idx'));
  if (index === undefined) return undefined;
  if (index > place) return 'impossible';
  const siteIndex = integerOf(values.get('associated_site_idx'));
  switch (values.get('algorithm')) {
    case 'associated_site':
      return siteIndex === undefined
        ? 'impossible'
        : { index: index - 1, algorithm: 'associated_site', siteIndex: siteIndex - 1 };
    case 'exclude_site':
      return { index: index - 1, algorithm: 'exclude_site' };
    default:
      return 'impossible';
  }
}

/** A text that is not empty. */
function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : pythonText(value);
}

/** A positive integer, also as a text. */
function integerOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 1 ? number : undefined;
}

/** Rucio writes booleans as texts. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'True' || value === 'true';
}
