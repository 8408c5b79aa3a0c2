/** Checks of subscriptions long after the last request. */
import { expiringScope } from './expiring-dids.ts';
import type { Values } from './records.ts';
import { lastingSubscription } from './replication-actions.ts';
import type { Row } from './rows.ts';

/** Expected state of the items. */
interface Knowledge {
  /** The scope beside that of the DIDs that expire. */
  readonly scope: string;
  /** The rules as a list shows them. */
  readonly rules: readonly Row[];
  /** When a client knew of the lasting subscription. */
  readonly subscribedAt: number;
}

/**
 * Finds datasets that a subscription has left out, and subscriptions whose rules are counted wrongly.
 *
 * @param items All items of the table.
 */
export function flawsOfSubscriptions(items: readonly Values[], { scope, rules, subscribedAt }: Knowledge): string[] {
  const signs = collectSigns(items, rules);
  const datasets = items.filter(isDatasetOf([scope, expiringScope]));
  const flaws: string[] = [];
  for (const subscription of items.filter(({ PK }) => PK?.S === 'SUBSCRIPTIONS')) {
    const wanted = datasets.filter((dataset) => mustMatch(subscription, dataset, subscribedAt));
    flaws.push(...wanted.flatMap((dataset) => flawsOfDataset(subscription, dataset, signs)));
    flaws.push(...flawsOfCounts(subscription, items, rules));
  }
  return flaws;
}

const isDatasetOf =
  (scopes: readonly string[]) =>
  ({ PK, type }: Values) =>
    type?.S === 'DATASET' && scopes.some((scope) => PK?.S?.startsWith(`S#${scope}#`));

/** The other subscription is switched on and off. */
function mustMatch({ SK, retroactive }: Values, dataset: Values, subscribedAt: number): boolean {
  if (SK?.S !== `root#${lastingSubscription}`) return false;
  return retroactive?.['BOOL'] === true || newSince(dataset) > subscribedAt;
}

const newSince = ({ newAt, createdAt }: Values) => Number((newAt ?? createdAt)?.N);

/** Signs of what became of matches, as texts that begin with a DID. */
interface Signs {
  readonly matches: ReadonlySet<string>;
  /** DIDs with a rule, or a past one. */
  readonly ruled: ReadonlySet<string>;
  /** Failures, and tasks that may still succeed. */
  readonly failed: string;
}

function collectSigns(items: readonly Values[], rules: readonly Row[]): Signs {
  const matches = new Set<string>();
  const ruled = new Set(rules.map((rule) => `${String(rule['scope'])}#${String(rule['name'])}`));
  let failed = '';
  for (const { PK, SK, task } of items) {
    const [kind, ...place] = PK?.S?.split('#') ?? [];
    if (kind === 'MATCHED') matches.add(`${place[0]} ${SK?.S}`);
    else if (kind === 'D' && SK?.S?.startsWith('PASTRULE#') === true) ruled.add(place.join('#'));
    else if (kind === 'SUBSCRIPTIONFAILURES') failed += `${SK?.S} `;
    else if (task !== undefined) failed += JSON.stringify(task);
  }
  return { matches, ruled, failed };
}

function flawsOfDataset({ id, SK }: Values, dataset: Values, { matches, ruled, failed }: Signs): string[] {
  const [scope, name] = [dataset['PK']?.S?.split('#')[1], dataset['SK']?.S];
  const did = `${scope}#${name}`;
  if (!matches.has(`${id?.S} ${did}#${newSince(dataset)}`)) return [`${SK?.S} has never looked at ${did}`];
  const isKnown = ruled.has(did) || failed.includes(did) || failed.includes(`"${name}"`);
  return isKnown ? [] : [`${SK?.S} has looked at ${did}, which has no rule`];
}

/** The subscription counts its rules by state. */
function flawsOfCounts({ id, SK }: Values, items: readonly Values[], rules: readonly Row[]): string[] {
  const [account, name] = SK?.S?.split('#') ?? [];
  const counted = items.find(({ PK, SK: key }) => PK?.S === `SUBSCRIPTIONNAME#${name}` && key?.S === account) ?? {};
  const shown = Object.entries(counted).flatMap(([key, count]) =>
    key.startsWith('rules:') && count['N'] !== '0' ? [`${key.slice('rules:'.length)} ${String(count['N'])}`] : [],
  );
  const own = rules.filter((rule) => rule['subscription_id'] === id?.S);
  const found = Map.groupBy(own, (rule) => String(rule['state']));
  const wanted = Array.from(found, ([state, { length }]) => `${state} ${length}`);
  const isRight = shown.toSorted().join() === wanted.toSorted().join();
  return isRight ? [] : [`${SK?.S} counts ${shown.join(', ')}, has ${wanted.join(', ')}`];
}
