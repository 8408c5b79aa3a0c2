import { createHash } from 'node:crypto';

/* Rows of a Rucio database, as SQL. */

/** A value of a column. */
type Value = string | number | boolean | null | Buffer;

/** The password of the account root. */
export const password = 'old secret';
const salt = createHash('sha512').update('salt').digest();
const hash = createHash('sha256').update(salt).update(password).digest('hex');
/** The columns of an identity with that password. */
export const passwordRow = { password: hash, salt };

/** An id made of one digit. */
export const id = (digit: string) =>
  `${digit.repeat(8)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(12)}`;

/** The ids of the RSEs and rules, in Rucio's form. */
export const [disk, tape, old] = ['a', 'b', 'c'].map((digit) => id(digit)) as [string, string, string];
const bare = (text: string) => text.replaceAll('-', '');
export const ruleIds = {
  ok: bare(id('1')),
  replicating: bare(id('2')),
  stuck: bare(id('3')),
  failed: bare(id('4')),
  suspended: bare(id('5')),
  waiting: bare(id('6')),
  parent: bare(id('7')),
  ofSubscription: bare(id('8')),
} as const;
export const requestId = bare(id('e'));
export const subscriptionId = bare(id('d'));

const created = '2019-03-04 05:06:07.123456';
export const updated = '2021-08-09 10:11:12';
export const dates = { created_at: created, updated_at: updated };

/** A statement that inserts a row. */
export function insert(table: string, row: Readonly<Record<string, Value>>): string {
  const names = Object.keys(row).map((name) => (/[A-Z]/.test(name) ? `"${name}"` : name));
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')});`;
}

/** Statements as one text; inserts of equal columns that follow one another are one statement, which takes a fifth of the time. */
export function joinInserts(statements: readonly string[]): string {
  const groups: { readonly head: string; readonly rest: string[] }[] = [];
  for (const statement of statements.map((text) => text.replace(/;$/, ''))) {
    const [head, row] = statement.split(/(?<=^INSERT INTO [^']* VALUES )(?=\()/);
    const former = groups.at(-1);
    if (row === undefined) groups.push({ head: '', rest: [statement] });
    else if (former !== undefined && head === former.head) former.rest.push(row);
    else groups.push({ head: head ?? '', rest: [row] });
  }
  return groups.map(({ head, rest }) => `${head}${rest.join(',')};`).join('\n');
}

function literal(value: Value): string {
  if (value === null) return 'NULL';
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

export const flags = {
  monotonic: false,
  hidden: false,
  obsolete: false,
  suppressed: false,
  purge_replicas: true,
  transient: false,
};

/** A DID of the scope beam26. */
export function did(name: string, type: 'F' | 'D' | 'C', more: Readonly<Record<string, Value>> = {}): string {
  const base = { scope: 'beam26', name, account: 'root', did_type: type, availability: 'A', is_new: null, ...flags };
  return insert('dids', { ...base, ...(type === 'F' ? {} : { is_open: true }), ...dates, ...more });
}

/** A file of the scope beam26 with 10 bytes. */
export function file(name: string, more: Readonly<Record<string, Value>> = {}): string {
  return did(name, 'F', { bytes: 10, adler32: '0cc737eb', ...more });
}

/** An attachment within the scope beam26. */
export function attach(name: string, child: string, type: 'F' | 'D' | 'C' = 'F', parentType = 'D'): string {
  const size = type === 'F' ? { bytes: 10, adler32: '0cc737eb', events: child === 'f1' ? 3 : null } : {};
  const names = { scope: 'beam26', name, child_scope: 'beam26', child_name: child };
  return insert('contents', { ...names, did_type: parentType, child_type: type, ...size, ...dates });
}

/** A replica of a file of the scope beam26. */
export function replica(
  name: string,
  rseId: string,
  state: string,
  more: Readonly<Record<string, Value>> = {},
): string {
  const key = { scope: 'beam26', name, rse_id: rseId };
  return insert('replicas', { ...key, bytes: 10, adler32: '0cc737eb', state, lock_cnt: 0, ...dates, ...more });
}

/** A lock of the account root on a file of the scope beam26. */
export function lock(name: string, rseId: string, ruleId: string, state: string): string {
  const key = { scope: 'beam26', name, rule_id: ruleId, rse_id: rseId };
  return insert('locks', { ...key, account: 'root', bytes: 10, state, ...dates });
}

/** A rule of the account root on a DID of the scope beam26. */
export function rule(ruleId: string, name: string, state: string, more: Readonly<Record<string, Value>> = {}): string {
  return insert('rules', {
    id: ruleId,
    account: 'root',
    scope: 'beam26',
    name,
    did_type: 'D',
    state,
    rse_expression: 'DISK',
    copies: 1,
    locked: false,
    locks_ok_cnt: 0,
    locks_replicating_cnt: 0,
    locks_stuck_cnt: 0,
    grouping: 'D',
    notification: 'N',
    purge_replicas: false,
    ignore_availability: false,
    ignore_account_limit: false,
    split_container: false,
    activity: 'Data Brokering',
    priority: 4,
    ...dates,
    ...more,
  });
}

/** A row of accounts, identities, mappings or RSEs. */
export const account = (name: string, more: Readonly<Record<string, Value>> = {}) =>
  insert('accounts', {
    account: name,
    account_type: 'USER',
    status: 'ACTIVE',
    email: `${name}@x.org`,
    ...dates,
    ...more,
  });

/** A row of accounts, identities, mappings or RSEs. */
export const identity = (name: string, type: string, more: Readonly<Record<string, Value>> = {}) =>
  insert('identities', { identity: name, identity_type: type, email: 'a@x.org', deleted: false, ...dates, ...more });

/** A row of accounts, identities, mappings or RSEs. */
export const mapping = (name: string, type: string, to: string) =>
  insert('account_map', { identity: name, identity_type: type, account: to, is_default: true, ...dates });

/** A row of accounts, identities, mappings or RSEs. */
export const rse = (rseId: string, name: string, more: Readonly<Record<string, Value>> = {}) =>
  insert('rses', {
    id: rseId,
    rse: name,
    vo: 'def',
    rse_type: 'DISK',
    deterministic: true,
    volatile: false,
    staging_area: false,
    availability: 7,
    availability_read: true,
    availability_write: true,
    availability_delete: true,
    deleted: false,
    ...dates,
    ...more,
  });
