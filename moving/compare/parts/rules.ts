import { mapParallel } from '../../rows/map-parallel.ts';
import type { Row } from '../../rows/sorted-rows.ts';
import { markRefused } from '../refused-names.ts';
import { didOf, type ScopePart, type ScopeSource, textOf, without } from '../source.ts';

type Rule = Readonly<Record<string, unknown>>;

/** The rules of the chosen DIDs of a scope. */
async function* listRules({ session, scope, isChosen }: ScopeSource): AsyncGenerator<Rule> {
  for await (const rule of session.stream(`/rules/?scope=${encodeURIComponent(scope)}`)) {
    if (isChosen({ scope, name: textOf(rule['name']) })) yield rule;
  }
}

/** The key of a rule on any server. The id is compared and not part of it, since it may differ. */
function keyOfRule({ scope, name, account, copies, rse_expression: expression }: Rule): string {
  return `${textOf(scope)}:${textOf(name)} ${textOf(account)} ${textOf(copies)} of ${textOf(expression)}`;
}

/** Rules with their ids, options, states, counters and dates. */
const rules: ScopePart = {
  name: 'rules',
  async *read(source): AsyncGenerator<Row> {
    for await (const rule of listRules(source)) {
      yield {
        key: keyOfRule(rule),
        value: {
          ...without(rule, 'scope', 'name', 'account', 'copies', 'rse_expression'),
          ...markRefused(didOf(rule)),
        },
      };
    }
  },
};

/** The locks of rules on files. */
const locks: ScopePart = {
  name: 'locks',
  async *read(source) {
    const ask = async (rule: Rule): Promise<Row[]> => {
      const rows = await source.session.rows('GET', `/rules/${textOf(rule['id'])}/locks`);
      return rows.map((row) => ({
        key: `${keyOfRule(rule)}: ${textOf(row['scope'])}:${textOf(row['name'])} @ ${textOf(row['rse'])}`,
        value: {
          ...without(row, 'scope', 'name', 'rse', 'rse_id', 'rule_id'),
          ...markRefused(didOf(rule), didOf(row)),
        },
      }));
    };
    for await (const rows of mapParallel(listRules(source), source.parallel, ask)) yield* rows;
  },
};

/** The parts about rules. */
export const ruleParts: readonly ScopePart[] = [rules, locks];
