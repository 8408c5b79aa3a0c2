import { expect } from 'vitest';

import { type Answer, asRoot, type Client } from './server.ts';

/** The least that a subscription is made of. */
export const leastOptions = {
  filter: { scope: ['data'], pattern: 'raw.*' },
  replication_rules: [{ rse_expression: 'X', copies: 1, activity: 'Staging' }],
  comments: null,
  lifetime: null,
  retroactive: false,
};

/** Where a subscription lies; the name as it stands. */
export const subscriptionPath = ({ account }: Pick<Client, 'account'>, name: string) =>
  `/subscriptions/${account}/${encodeURIComponent(name)}`;

/** Asks root to create a subscription. */
export function addSubscription(owner: Pick<Client, 'account'>, name: string, options: object = {}): Promise<Answer> {
  return asRoot().post(subscriptionPath(owner, name), { options: { ...leastOptions, ...options } });
}

/** The id of a new subscription. */
export async function newSubscription(
  owner: Pick<Client, 'account'>,
  name: string,
  options: object = {},
): Promise<string> {
  const { status, text } = await addSubscription(owner, name, options);
  expect(`${status} ${text}`).toMatch(/^201 [0-9a-f]{32}$/);
  return text;
}

/** The names in the rows of a list. */
export const namesIn = (rows: readonly unknown[]) => rows.map((row) => (row as { name: string }).name);
