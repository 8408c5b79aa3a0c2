import { chunksOf } from '../../lib/chunks.ts';
import { mapLimited } from '../../lib/parallel.ts';
import { type RelationName, relations, type Rows } from '../rucio/relations.ts';
import type { Position, Range, RangeRead } from '../rucio/source.ts';
import { Batch } from './batch.ts';
import { Checkpoint } from './checkpoint.ts';
import { digestOf, packDigests } from './digests.ts';
import type { SectionTools } from './section-tools.ts';
import type { Section } from './section.ts';
import { type DoneRange, type FormerRange, textOf } from './state-file.ts';

/** Former ranges whose fingerprints are compared together. */
const rangesAtOnce = 64;

/** One run over a section: follows the changes of the ranges that former runs have done, then does the others. */
export class SectionRun {
  readonly #section: Section;
  readonly #tools: SectionTools;
  readonly #checkpoint: Checkpoint;

  constructor(section: Section, tools: SectionTools) {
    this.#section = section;
    this.#tools = tools;
    this.#checkpoint = new Checkpoint(tools);
  }

  async run(): Promise<void> {
    const { source, state, run } = this.#tools;
    const { name, drives } = this.#section;
    if (!source.has(drives)) return;
    await this.#follow(state.formerRanges(name, run));
    await this.#continue(state.frontier(name));
    await this.#checkpoint.save(true);
  }

  /** Does what lies behind the ranges that are done. */
  async #continue(frontier: Position | 'over' | undefined): Promise<void> {
    if (frontier === 'over') return;
    const { name } = this.#section;
    for await (const { range, read } of this.#readAhead({ after: frontier })) {
      const { done, items } = this.#convert(range, read);
      await this.#tools.target.put(items);
      const fresh = this.#tools.run > 1 ? items.map(textOf) : [];
      const next = range.upTo === undefined ? 'over' : JSON.stringify(range.upTo);
      await this.#checkpoint.add({ former: undefined, done: [done], fresh, stale: [] }, { [`frontier ${name}`]: next });
      this.#tools.progress(done.rows);
    }
  }

  /** Brings the items of former ranges in line with what the source says now. */
  async #follow(former: readonly FormerRange[]): Promise<void> {
    const { source, state, run, parallel } = this.#tools;
    for (const some of chunksOf(former, rangesAtOnce)) {
      const now = await mapLimited(some, parallel, ({ range }) => source.fingerprint(this.#section.reads, range));
      const changed = some.filter(({ fingerprint }, index) => fingerprint !== now[index]);
      const same = some.filter((one) => !changed.includes(one));
      state.confirm(
        same.map(({ id }) => id),
        run,
      );
      this.#tools.skip(same.reduce((sum, { rows }) => sum + rows, 0));
      for (const one of changed) await this.#retry(one);
    }
  }

  async #retry({ id, range }: FormerRange): Promise<void> {
    const { state, target } = this.#tools;
    const before = state.digestsOf(id);
    for await (const page of this.#readAhead(range)) {
      const { done, items } = this.#convert(page.range, page.read);
      const changed = items.filter((item) => before.get(textOf(item)) !== digestOf(item.text));
      await target.put(changed);
      for (const item of items) before.delete(textOf(item));
      const { upTo } = page.range;
      const isLast = upTo === range.upTo;
      const rest = isLast || upTo === undefined ? {} : { rest: { after: upTo, digests: packDigests(before) } };
      const stale = isLast ? [...before.keys()] : [];
      await this.#checkpoint.add({ former: id, ...rest, done: [done], fresh: changed.map(textOf), stale }, {});
      this.#tools.progress(done.rows);
    }
  }

  #convert(range: Range, { rows, fingerprint }: RangeRead<RelationName>) {
    const { context, keepsDigests } = this.#tools;
    const batch = new Batch(context.now);
    this.#section.convert(rows, batch, context);
    const items = [...batch.items.values()];
    const kept = keepsDigests ? items : [];
    const digests = new Map(kept.map((item) => [textOf(item), digestOf(item.text)] as const));
    const done: DoneRange = {
      section: this.#section.name,
      range,
      fingerprint,
      digests: packDigests(digests),
      sums: batch.sums.toJSON(),
      rejected: batch.rejected,
      rows: rowsOf(rows, this.#section.drives),
      tables: this.#countTables(rows, batch.expired),
      items: items.length,
    };
    return { done, items };
  }

  /** The rows of each table; what a statement sums up, and what only helps to convert others, is none of them. */
  #countTables(rows: Rows<RelationName>, expired: Batch['expired']): DoneRange['tables'] {
    const names = Object.keys(this.#section.reads) as RelationName[];
    return Object.fromEntries(
      names.filter(isTable).map((name) => [name, { rows: rowsOf(rows, name), expired: expired.get(name) ?? 0 }]),
    );
  }

  /** Divides a range into pages, and reads some of them ahead; in their order. */
  async *#readAhead(range: Range): AsyncGenerator<{ range: Range; read: RangeRead<RelationName> }> {
    const { source, parallel } = this.#tools;
    const { drives, reads, rowsPerRange } = this.#section;
    const underWay: { range: Range; read: Promise<RangeRead<RelationName>> }[] = [];
    const pages = this.#divide(range, (rest) => source.findEnd(drives, reads[drives], rest, rowsPerRange));
    try {
      for await (const page of pages) {
        const read = source.read(reads, page);
        // It is awaited below; until then its failure is no unhandled rejection.
        read.catch(() => {});
        underWay.push({ range: page, read });
        if (underWay.length < parallel) continue;
        const first = underWay.shift();
        if (first !== undefined) yield { range: first.range, read: await first.read };
      }
      for (const { range: page, read } of underWay.splice(0)) yield { range: page, read: await read };
    } finally {
      await Promise.allSettled(underWay.map(({ read }) => read));
    }
  }

  /** The pages of a range; the last one ends where the range does. */
  async *#divide(range: Range, findEnd: (rest: Range) => Promise<Position | undefined>): AsyncGenerator<Range> {
    let { after } = range;
    for (;;) {
      const end = await findEnd({ after, upTo: range.upTo });
      yield { after, upTo: end ?? range.upTo };
      if (end === undefined) return;
      after = end;
    }
  }
}

/** Requests only tell the ids of transfers that are under way. */
function isTable(name: RelationName): boolean {
  return relations[name].tables[0] === name && name !== 'requests';
}

function rowsOf(rows: Rows<RelationName>, name: RelationName): number {
  return rows[name].length;
}
