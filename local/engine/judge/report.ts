import type { Difference } from './compare.ts';
import type { KnownDifference, Occurrence, Outcome } from './known-difference.ts';
import { explain, knownDifferences } from './known-differences.ts';
import { normaliseValue } from './normalise.ts';
import type { JudgedRequest } from './request.ts';
import type { StreamComparison } from './stream-records.ts';

/** Differences of one kind, with the smallest request that causes it. */
export interface Finding {
  readonly kind: string;
  readonly request: JudgedRequest;
  readonly differences: readonly Difference[];
  /** The number of the smallest request in the run, from 0. */
  readonly at: number;
  readonly count: number;
}

/** Maximum number of printed differences per answer. */
const shownDifferences = 4;
const shownCharacters = 600;

/** Collects the outcomes of a run. */
export class Report {
  readonly #operations = new Map<string, { sent: number; refused: number; pages: number }>();
  readonly #errors = new Map<string, number>();
  readonly #findings = new Map<string, Finding>();
  readonly #known = new Map<KnownDifference, number>(knownDifferences.map((known) => [known, 0]));
  #streams: StreamComparison = { records: 0, different: [] };

  /**
   * Adds the outcome of request number `at`.
   *
   * @returns the unknown differences.
   */
  add(at: number, request: JudgedRequest, exchange: Outcome): Difference[] {
    const { right } = exchange;
    const counts = this.#operations.get(request.operation) ?? { sent: 0, refused: 0, pages: 0 };
    counts.sent += 1;
    if (right.error !== undefined) counts.refused += 1;
    if (right.body['LastEvaluatedKey'] !== undefined) counts.pages += 1;
    this.#operations.set(request.operation, counts);
    for (const error of errorsOf(exchange)) this.#errors.set(error, (this.#errors.get(error) ?? 0) + 1);
    const unknown = exchange.differences.filter((difference) => !this.isKnown({ ...difference, request, exchange }));
    if (unknown.length > 0) this.#addFinding(at, request, unknown);
    return unknown;
  }

  /** Whether a difference is known; counts it. */
  isKnown(occurrence: Occurrence): boolean {
    const known = explain(occurrence);
    if (known !== undefined) this.#known.set(known, (this.#known.get(known) ?? 0) + 1);
    return known !== undefined;
  }

  #addFinding(at: number, request: JudgedRequest, differences: readonly Difference[]): void {
    const kind = kindOf(request, differences);
    const before = this.#findings.get(kind);
    const isSmaller = before === undefined || sizeOf(request) < sizeOf(before.request);
    const shown = isSmaller ? { kind, request, differences, at } : before;
    this.#findings.set(kind, { ...shown, count: (before?.count ?? 0) + 1 });
  }

  /** Adds the comparison of the streams. */
  addStreams(streams: StreamComparison): void {
    this.#streams = streams;
  }

  /** The findings, most frequent first. */
  get findings(): Finding[] {
    return [...this.#findings.values()].sort((left, right) => right.count - left.count);
  }

  /** Whether there are no unknown differences. */
  get agrees(): boolean {
    return this.#findings.size === 0 && this.#streams.different.length === 0;
  }

  /** Prints everything, line by line. */
  print(say: (line: string) => void): void {
    for (const [operation, { sent, refused, pages }] of sortByName(this.#operations)) {
      const more = pages === 0 ? '' : `, ${pages} with more pages`;
      say(`${operation.padEnd(22)} ${String(sent).padStart(6)} compared, ${refused} refused${more}`);
    }
    say(`Stream records         ${String(this.#streams.records).padStart(6)} compared`);
    say('\nErrors');
    for (const [error, count] of sortByName(this.#errors)) say(`${String(count).padStart(6)} ${error}`);
    say('\nKnown differences');
    for (const [{ reason, reference }, count] of this.#known) {
      say(`${String(count).padStart(6)} ${reason} (${reference})`);
    }
    for (const finding of this.findings) printFinding(finding, say);
    for (const { key, differences } of this.#streams.different.slice(0, 10)) {
      say(`\nStream records of ${key}`);
      printDifferences(differences, say);
    }
    const streams = this.#streams.different.length;
    say(
      this.agrees
        ? '\nNo differences.'
        : `\n${this.#findings.size} kinds of difference, ${streams} items with other stream records.`,
    );
  }
}

function sortByName<T>(counts: ReadonlyMap<string, T>): [string, T][] {
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
}

/** Types of errors in an answer, including those within transactions and batches. */
function errorsOf({ right }: Outcome): string[] {
  const reasons = right.body['CancellationReasons'];
  const responses = right.body['Responses'];
  const within = [
    ...(Array.isArray(reasons) ? reasons.map((reason: { Code?: string }) => reason.Code) : []),
    ...(Array.isArray(responses)
      ? responses.map((response: { Error?: { Code?: string } }) => response.Error?.Code)
      : []),
  ];
  const codes = within.filter((code) => code !== undefined && code !== 'None');
  return [...(right.error === undefined ? [] : [right.error]), ...codes.map((code) => `within: ${code}`)];
}

/** Equal for differences that most likely have the same cause. */
function kindOf(request: JudgedRequest, differences: readonly Difference[]): string {
  const [first] = differences;
  if (first === undefined) return request.operation;
  const mask = (value: unknown) =>
    (typeof value === 'string' ? value : typeof value)
      .replaceAll(/"[^"]*"|\[[^[\]]*\]|\{[^{}]*\}|'[^']*'|[#:]\w+/g, '_')
      .replaceAll(/(?<=[:;,] )\S+(?=[,;]|$)|\d+/g, '_')
      .slice(0, 120);
  const path = first.path.replaceAll(/\[\d+\]/g, '[]');
  const isText = first.path === 'outcome' || /message$/i.test(first.path);
  const isWithin = /^(Items?|Attributes|Responses)\b/.test(path);
  const where = isWithin && !isText ? (path.split(/[.[]/)[0] ?? path) : path;
  return [request.operation, where, ...(isText ? [mask(first.left), mask(first.right)] : [])].join(' | ');
}

function sizeOf({ body }: JudgedRequest): number {
  return JSON.stringify(body).length;
}

function printFinding({ request, differences, at, count }: Finding, say: (line: string) => void): void {
  say(`\n${count} times, as in request ${at}: ${request.operation} ${show(request.body)}`);
  printDifferences(differences, say);
}

function printDifferences(differences: readonly Difference[], say: (line: string) => void): void {
  for (const { path, left, right } of differences.slice(0, shownDifferences)) {
    say(`  ${path}`);
    say(`    left:  ${show(left)}`);
    say(`    right: ${show(right)}`);
  }
  if (differences.length > shownDifferences) say(`  and ${differences.length - shownDifferences} more`);
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(normaliseValue(value)) ?? 'nothing');
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}... (${text.length} characters)`;
}
