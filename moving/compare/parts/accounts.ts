import { mapParallel } from '../../rows/map-parallel.ts';
import type { Row } from '../../rows/sorted-rows.ts';
import { type GlobalPart, type Source, spread, textOf, without } from '../source.ts';

async function listAccounts({ session }: Source): Promise<string[]> {
  return (await session.rows('GET', '/accounts/')).map(({ account }) => textOf(account));
}

/** Reads rows for each active account, several accounts at a time. */
async function* readByAccount(source: Source, read: (account: string) => Promise<Row[]>): AsyncGenerator<Row> {
  for await (const rows of mapParallel(await listAccounts(source), source.parallel, read)) yield* rows;
}

const pathOfAccount = (account: string) => `/accounts/${encodeURIComponent(account)}`;

/** Accounts with their attributes. Servers list active accounts only. */
const accounts: GlobalPart = {
  name: 'accounts',
  read: (source) =>
    readByAccount(source, async (account) => {
      const path = pathOfAccount(account);
      const settings = (await source.session.json(path)) as Record<string, unknown>;
      const attributes = await source.session.rows('GET', `${path}/attr/`);
      const byKey = Object.fromEntries(attributes.map(({ key, value }) => [textOf(key), value]));
      return [{ key: account, value: { ...settings, ...spread('attribute', byKey) } }];
    }),
};

/** Identities with the accounts that they may use; servers never tell passwords. */
const identities: GlobalPart = {
  name: 'identities',
  read: (source) =>
    readByAccount(source, async (account) => {
      const rows = await source.session.rows('GET', `${pathOfAccount(account)}/identities`);
      return rows.map((row) => ({
        key: `${account} ${textOf(row['type'])} ${textOf(row['identity'])}`,
        value: without(row, 'type', 'identity'),
      }));
    }),
};

const limits: GlobalPart = {
  name: 'limits',
  read: (source) =>
    readByAccount(source, async (account) => {
      const kinds = await Promise.all(
        ['local', 'global'].map(async (kind) => {
          const answer = await source.session.json(`${pathOfAccount(account)}/limits/${kind}`);
          return Object.entries(answer as Record<string, unknown>).map(([where, value]) => ({
            key: `${account} ${kind} ${where}`,
            value: isRecord(value) ? without(value, 'resolved_rse_ids', 'resolved_rses') : { bytes: value },
          }));
        }),
      );
      return kinds.flat();
    }),
};

const usage: GlobalPart = {
  name: 'usage',
  read: (source) =>
    readByAccount(source, async (account) => {
      const rows = await source.session.rows('GET', `${pathOfAccount(account)}/usage/local`);
      return rows.map((row) => ({ key: `${account} ${textOf(row['rse'])}`, value: without(row, 'rse', 'rse_id') }));
    }),
};

const scopes: GlobalPart = {
  name: 'scopes',
  async *read({ session }) {
    for (const { scope, account } of await session.rows('GET', '/scopes/owner/')) {
      yield { key: textOf(scope), value: { account } };
    }
  },
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The parts about accounts. */
export const accountParts: readonly GlobalPart[] = [accounts, identities, limits, usage, scopes];
