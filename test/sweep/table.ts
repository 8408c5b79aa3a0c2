import { type Case, faults } from './sweep.ts';

/** Renders docs/sweep.md: how many cases there are of each fault, and how many of them end in a flaw. */
export function writeTable(cases: readonly Case[]): string {
  const operations = new Set(cases.map(({ subject }) => subject.id)).size;
  const calls = new Set(cases.map(({ subject, call }) => `${subject.id} ${subject.index} ${call}`)).size;
  const flawed = cases.filter(({ flaw }) => flaw !== undefined);
  return `# The sweep

\`npm run docs -- sweep\` sends requests of every operation and lets each call to the table fail in turn, in every way that applies.
A case is unexpected if the answer is not true, or if a repeat of the request does not reach the wanted state; the command lists it.
It tried ${operations} operations with ${calls} calls.

${row('Fault')}
${row('---', () => '--:')}
${row('Cases', (fault) => countOf(cases, fault))}
${row('Unexpected', (fault) => countOf(flawed, fault))}
`;
}

const countOf = (cases: readonly Case[], fault: Case['fault']) =>
  String(cases.filter((one) => one.fault === fault).length);

const row = (head: string, cell: (fault: Case['fault']) => string = (fault) => fault) =>
  `| ${[head, ...faults.map(cell)].join(' | ')} |`;
