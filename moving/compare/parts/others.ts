import { readPythonJson } from '../../../lib/python/json.ts';
import type { Row } from '../../rows/sorted-rows.ts';
import { type GlobalPart, textOf, without } from '../source.ts';

const subscriptions: GlobalPart = {
  name: 'subscriptions',
  async *read({ session }) {
    for await (const row of session.stream('/subscriptions/')) {
      // Both are JSON texts on some servers; what counts is what they say.
      const value = { ...row, filter: readJson(row['filter']), replication_rules: readJson(row['replication_rules']) };
      yield { key: `${textOf(row['account'])} ${textOf(row['name'])}`, value: without(value, 'account', 'name') };
    }
  },
};

function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return readPythonJson(value);
  } catch {
    return value;
  }
}

const config: GlobalPart = {
  name: 'config',
  async *read({ session }) {
    const sections = (await session.json('/config')) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    for (const [section, options] of Object.entries(sections)) {
      for (const [option, value] of Object.entries(options)) yield { key: `${section} ${option}`, value: { value } };
    }
  },
};

const exceptions: GlobalPart = {
  name: 'exceptions',
  async *read({ session }) {
    for await (const row of session.stream('/lifetime_exceptions/')) {
      const key = `${textOf(row['scope'])}:${textOf(row['name'])} ${textOf(row['account'])} ${textOf(row['expires_at'])}`;
      yield { key, value: without(row, 'scope', 'name', 'account', 'expires_at') };
    }
  },
};

const badReplicas: GlobalPart = {
  name: 'bad-replicas',
  async *read({ session }): AsyncGenerator<Row> {
    for await (const row of session.stream('/replicas/bad/states')) {
      const at = textOf(row['created_at']);
      const key = `${textOf(row['scope'])}:${textOf(row['name'])} ${textOf(row['rse'])} ${textOf(row['state'])} ${at}`;
      yield { key, value: without(row, 'scope', 'name', 'rse', 'rse_id', 'state', 'created_at') };
    }
  },
};

/** The parts that are one list each. */
export const otherParts: readonly GlobalPart[] = [subscriptions, config, exceptions, badReplicas];
