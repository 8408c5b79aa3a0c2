import { toJson } from '../../lib/json.ts';
import { decisions } from './decided.ts';
import type { Finding } from './finding.ts';

/** The figures of a part. */
export interface Counts {
  compared: number;
  equal: number;
  decided: number;
  different: number;
  left: number;
  right: number;
  unreadable: number;
}

/** How findings are reported. */
interface ReportOptions {
  /** Lines of JSON in place of text. */
  readonly json: boolean;
  /** Decided differences too, one by one. */
  readonly decided: boolean;
  /** Takes the lines of the report. */
  readonly write: (line: string) => void;
}

/** Counts findings by part, and writes those that somebody has to look at. */
export class Report {
  readonly #options: ReportOptions;
  readonly #counts = new Map<string, Counts>();
  readonly #decided = new Map<string, number>();

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** Makes a part appear in the summary, even if neither server has anything of it. */
  begin(part: string): void {
    if (this.#counts.has(part)) return;
    this.#counts.set(part, { compared: 0, equal: 0, decided: 0, different: 0, left: 0, right: 0, unreadable: 0 });
  }

  /** Counts a finding, and writes it unless the servers agree. */
  add(part: string, finding: Finding): void {
    this.begin(part);
    const counts = this.#counts.get(part) as Counts;
    counts.compared += 1;
    counts[finding.kind] += 1;
    if ('fields' in finding) {
      for (const { decision } of finding.fields) if (decision !== undefined) this.#countDecision(decision);
    }
    if (finding.kind === 'equal' || (finding.kind === 'decided' && !this.#options.decided)) return;
    for (const line of this.#options.json ? [toJson({ part, ...finding })] : describe(part, finding)) {
      this.#options.write(line);
    }
  }

  /** Writes the summary; returns 0 if the servers are equal, 1 if they differ, 2 if something could not be read. */
  end(): number {
    const totals = [...this.#counts.values()];
    const isDifferent = totals.some(({ different, left, right }) => different + left + right > 0);
    const isIncomplete = totals.some(({ unreadable }) => unreadable > 0);
    const { json, write } = this.#options;
    if (json) {
      write(toJson({ summary: Object.fromEntries(this.#counts), decided: Object.fromEntries(this.#decided) }));
    } else {
      for (const line of [...this.#table(), ...this.#explainDecisions()]) write(line);
    }
    return isDifferent ? 1 : isIncomplete ? 2 : 0;
  }

  #countDecision(name: string): void {
    this.#decided.set(name, (this.#decided.get(name) ?? 0) + 1);
  }

  #table(): string[] {
    const columns = ['compared', 'equal', 'decided', 'different', 'left', 'right', 'unreadable'] as const;
    const titles = { left: 'only left', right: 'only right' } as Readonly<Record<string, string>>;
    const rows = Array.from(this.#counts, ([part, counts]) =>
      [part].concat(columns.map((column) => String(counts[column]))),
    );
    return layOut([['part', ...columns.map((column) => titles[column] ?? column)], ...rows]);
  }

  #explainDecisions(): string[] {
    return decisions.flatMap(({ name, reason }) => {
      const count = this.#decided.get(name);
      return count === undefined ? [] : [`decided: ${name}, ${count} times: ${reason}`];
    });
  }
}

/** Lays rows out in columns; the first one is a text, the others are numbers. */
function layOut(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_title, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  '),
  );
}

function describe(part: string, finding: Finding): string[] {
  const name = `${part} ${finding.key}`;
  switch (finding.kind) {
    case 'left':
    case 'right':
      return [`${name}: only ${finding.kind}: ${toJson(finding.value)}`];
    case 'unreadable':
      return [`${name}: cannot be read (${finding.side}): ${finding.problem}`];
    case 'equal':
      return [];
    default:
      return finding.fields.map(
        ({ field, left, right, decision }) =>
          `${name}: ${field}: ${show(left)} | ${show(right)}${decision === undefined ? '' : ` (decided: ${decision})`}`,
      );
  }
}

const show = (value: unknown) => (value === undefined ? '-' : toJson(value));
