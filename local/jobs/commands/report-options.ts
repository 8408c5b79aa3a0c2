import { text, texts } from '../../option.ts';
import { dataOption, helpOption } from '../../shared-options.ts';

/** The columns by which usage is summed. */
export const columns = ['account', 'group', 'rse'] as const;

/** One of {@link columns}. */
export type Column = (typeof columns)[number];

/** The options of the command `report`. */
export const reportOptions = {
  by: texts('--by <column>', {
    default: columns.join(', '),
    help: 'sums by this column; may be repeated',
    read: (given) => (given ?? columns).map(readColumn),
  }),
  to: text('--to <folder>', {
    help: 'writes a file with the day in its name there, and not to the standard output',
    read: (given) => given,
  }),
  data: dataOption('the data of a local server, which may run meanwhile'),
  groupAttribute: text('--group-attribute <key>', {
    default: 'group',
    help: 'the attribute of accounts that names their group',
    read: (given = 'group') => given,
  }),
  help: helpOption,
};

function readColumn(given: string): Column {
  const column = columns.find((one) => one === given);
  if (column === undefined) throw new Error(`\`--by\` is one of ${columns.join(', ')}.`);
  return column;
}
