import { parseCsv } from './csv.ts';

/** A user as a row wants it. */
export interface WantedUser {
  readonly account: string;
  readonly type: string;
  readonly email: string;
  readonly username: string;
  /** Empty: one is made. */
  readonly password: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly scopes: readonly string[];
  /** Bytes by RSE; -1: without bound. */
  readonly quotas: ReadonlyMap<string, number>;
}

/** The columns, and what is in them. */
export const userColumns: Readonly<Record<string, string>> = {
  account: 'the account; `@name` in place of one: quotas of the members of a group',
  email: 'their address',
  username: 'for the log-in; the account by default',
  password: 'for a new username; made and printed if it is empty',
  group: 'the group, as the attribute `group` of the account, which reports know',
  type: 'USER by default, or GROUP or SERVICE',
  scopes: 'besides `user.<account>`, which everybody gets',
  quota: 'such as `LAB_DISK=2TB LAB_TAPE=500GB`; `-1` is without bound',
  attributes: 'more attributes, such as `country=de`',
};

const units: Readonly<Record<string, number>> = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 };

/**
 * Reads the users of a CSV file. Quotas of a row count more than those of the group.
 *
 * @throws Error that names the line and what is wrong in it.
 */
export function readUsers(text: string): WantedUser[] {
  const [head = [], ...lines] = parseCsv(text);
  const unknown = head.filter((column) => !Object.hasOwn(userColumns, column));
  if (unknown.length > 0 || !head.includes('account')) {
    const columns = Object.keys(userColumns).join(', ');
    throw new Error(
      `The first line is to name columns, account among them. There are ${columns}; not ${unknown.join(', ') || 'others'}.`,
    );
  }
  const rows = lines.map((fields, index) => {
    if (fields.length > head.length) throw new Error(`Row ${index + 1} (${fields[0]}): more fields than columns.`);
    return new Map(head.map((column, at) => [column, fields[at] ?? '']));
  });
  const groups = new Map(
    rows.filter(isGroup).map((row) => [fieldOf(row, 'account').slice(1), pairsIn(row, 'quota', readBytes)]),
  );
  const users = rows.filter((row) => !isGroup(row)).map((row) => readUser(row, groups));
  const twice = users.find(({ account }, index) => users.findIndex((user) => user.account === account) < index);
  if (twice !== undefined) throw new Error(`The account ${twice.account} has two rows.`);
  return users;
}

type Row = ReadonlyMap<string, string>;

const fieldOf = (row: Row, column: string) => row.get(column) ?? '';
const isGroup = (row: Row) => fieldOf(row, 'account').startsWith('@');

function readUser(row: Row, groups: ReadonlyMap<string, ReadonlyMap<string, number>>): WantedUser {
  const account = fieldOf(row, 'account');
  if (account === '') throw new Error('A row has no account.');
  const group = fieldOf(row, 'group');
  return {
    account,
    type: fieldOf(row, 'type') || 'USER',
    email: fieldOf(row, 'email'),
    username: fieldOf(row, 'username') || account,
    password: fieldOf(row, 'password'),
    attributes: new Map([
      ...pairsIn(row, 'attributes', (text) => text),
      ...(group === '' ? [] : [['group', group] as const]),
    ]),
    scopes: [
      `user.${account}`,
      ...fieldOf(row, 'scopes')
        .split(/[\s;,]+/)
        .filter(Boolean),
    ],
    quotas: new Map([...(groups.get(group) ?? []), ...pairsIn(row, 'quota', readBytes)]),
  };
}

function pairsIn<T>(row: Row, column: string, read: (text: string) => T): Map<string, T> {
  const pairs = fieldOf(row, column)
    .split(/[\s;,]+/)
    .filter(Boolean);
  return new Map(
    pairs.map((pair): [string, T] => {
      const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
      if (name === '') throw new Error(`${fieldOf(row, 'account')}: '${pair}' in ${column} is no name=value.`);
      return [name, read(value)];
    }),
  );
}

function readBytes(text: string): number {
  if (text === '-1') return -1;
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([kMGTP]?B)?$/.exec(text) ?? [];
  const bytes = Math.round(Number(count) * (units[unit === 'B' ? '' : unit] ?? Number.NaN));
  if (!Number.isSafeInteger(bytes)) throw new Error(`'${text}' is no size, such as 500GB, 2TB or -1.`);
  return bytes;
}
