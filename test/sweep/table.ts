import { type Case, type Fault, faults } from './sweep.ts';

/** Renders docs/sweep.md: the cases of each operation, and the flaws. */
export function writeTable(cases: readonly Case[]): string {
  const ids = [...new Set(cases.map(({ subject }) => subject.id))].toSorted();
  const rows = ids.map((id) => {
    const own = cases.filter(({ subject }) => subject.id === id);
    const calls = new Set(own.map(({ subject, call }) => `${subject.index} ${call}`)).size;
    return row(`\`${id}\``, calls, own);
  });
  const lines = [
    '# The sweep',
    '',
    'Every operation of the contract when `npm run docs -- sweep` last wrote this page, with each of its calls to the table going wrong in turn.',
    'A cell has the cases, and those of them that were unexpected where there are any. Calls of several requests are added up.',
    '',
    `| Operation | Calls | ${faults.join(' | ')} | Unexpected |`,
    `| --- | --: | ${faults.map(() => '--:').join(' | ')} | --: |`,
    ...rows,
    row('**all**', rows.length === 0 ? 0 : countCalls(cases), cases),
    '',
  ];
  return lines.join('\n');
}

const countCalls = (cases: readonly Case[]) =>
  new Set(cases.map(({ subject, call }) => `${subject.id} ${subject.index} ${call}`)).size;

const isFlawed = ({ flaw }: Case) => flaw !== undefined;

function row(name: string, calls: number, cases: readonly Case[]): string {
  const cell = (fault: Fault) => {
    const own = cases.filter((one) => one.fault === fault);
    const flawed = own.filter(isFlawed).length;
    return flawed === 0 ? String(own.length) : `${own.length} (${flawed})`;
  };
  return `| ${name} | ${calls} | ${faults.map(cell).join(' | ')} | ${cases.filter(isFlawed).length} |`;
}
