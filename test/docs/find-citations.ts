/** Citations of the wire reference in code and documents, and the sections of docs/spec that they must lead to. */

const pages = ['interface', 'dids', 'rses', 'access', 'replication'] as const;

/** A blank, or a line break inside a comment. */
const gap = String.raw`(?:[ \t]|\r?\n[ \t]*(?:\*|//|#)?[ \t]*)+`;
const section = String.raw`(?:\d+(?:\.\d+)*|appendix${gap}[A-Z])`;
const item = String.raw`${section}(?:${gap}(?:#\d+|step${gap}\d+|[A-C]\d*\b))?`;
const range = String.raw`${item}(?:${gap}to${gap}${section})?`;
const citation = new RegExp(
  String.raw`(?<![\w./-])(?<prefix>spec/)?(?<page>${pages.join('|')})(?<suffix>\.md)?${gap}(?<items>${range}(?:,${gap}${range})*)`,
  'gi',
);

/** Forms that name no section of docs/spec, with what to write instead. */
const unresolvable: readonly (readonly [RegExp, string])[] = [
  [/\bdesign(?:\.md)?[,:]?\s\(?\d|\(design[),:]/gi, 'name an ADR or a section of ARCHITECTURE.md'],
  [
    new RegExp(String.raw`interface${gap}document\b(?!${gap}\((?:spec/)?interface)`, 'gi'),
    'say the section: the interface document (spec/interface.md 4.1)',
  ],
  [
    new RegExp(String.raw`\b(?:part|paragraph|section)s?${gap}\d+(?:\.\d+)*${gap}of\b`, 'gi'),
    'say the page and the number',
  ],
  [/§/g, 'say the page and the number'],
  [
    new RegExp(String.raw`(?<!\b(?:${pages.join('|')})(?:\.md)?${gap})\b(?<!# )appendix${gap}[A-Z]\b`, 'gi'),
    'say the page',
  ],
  [
    new RegExp(String.raw`${citation.source}(?:${gap}and${gap}#?\d|,?${gap}(?:steps|facts?|rows?)\b)`, 'gi'),
    'separate sections by commas',
  ],
  [new RegExp(String.raw`(?<!docs/|\]\()spec/(?:${pages.join('|')})\.md(?!${gap}${section})`, 'gi'), 'say the section'],
  [/\b(?:describe|it)(?:\.\w+)*\((?:.*\)\()?['"`].*\(\d+\.\d+(?:, \d+\.\d+)*\)/g, 'say the page'],
];

/** Something that cites the wire reference, or means to. */
export interface Citation {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Why it leads nowhere; undefined where it leads to a section. */
  readonly fault?: string;
}

/** The sections of a page: their text by number, `2.6` or `appendix a`. */
export type Sections = ReadonlyMap<string, string>;

/** Reads the numbered headings of a page of docs/spec. `1.21 to 1.23` stands for three. */
export function readSections(markdown: string): Sections {
  const headings = [...markdown.matchAll(/^##+ (?<title>(?:[\d.]+|Appendix [A-Z]).*)$/gm)];
  return new Map(
    headings.flatMap((heading, index) => {
      const level = heading[0].indexOf(' ');
      const next = headings.slice(index + 1).find((other) => other[0].indexOf(' ') <= level);
      const text = markdown.slice(heading.index, next?.index);
      return numbersOf(heading.groups?.['title'] ?? '').map((number) => [number, text] as const);
    }),
  );
}

function numbersOf(title: string): string[] {
  const appendix = /^Appendix [A-Z]/.exec(title);
  if (appendix !== null) return [appendix[0].toLowerCase()];
  const [, from = '', to = from] = /^([\d.]*\d)(?: to ([\d.]*\d))?/.exec(title) ?? [];
  const chapter = from.includes('.') ? from.slice(0, from.lastIndexOf('.') + 1) : '';
  const [first, last] = [from, to].map((number) => Number(number.slice(chapter.length)));
  return Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, step) => `${chapter}${(first ?? 0) + step}`);
}

/**
 * Finds the citations of a file, and the forms that look like one and name no section.
 * @param spec The sections of each page of docs/spec.
 * @returns One entry for each section that is cited, with its fault if it does not exist.
 */
export function findCitations(file: string, text: string, spec: ReadonlyMap<string, Sections>): Citation[] {
  const found: Citation[] = [];
  const add = (index: number, what: string, fault?: string) => {
    const line = text.slice(0, index).split('\n').length;
    found.push({ file, line, text: what.replaceAll(/\s+/g, ' '), ...(fault === undefined ? {} : { fault }) });
  };
  for (const match of text.matchAll(citation)) {
    const { prefix, page = '', suffix, items = '' } = match.groups ?? {};
    const isCanonical = (prefix === undefined) === (suffix === undefined);
    if (!isCanonical) add(match.index, match[0], `write spec/${page}.md in comments, ${page} in titles`);
    const sections = spec.get(page.toLowerCase()) ?? new Map<string, string>();
    for (const part of items.split(',')) {
      const words = part.replaceAll(/[\s*/]+/g, ' ').trim();
      add(
        match.index,
        `${page} ${words}`,
        words
          .split(' to ')
          .map((each) => faultOf(each, sections))
          .find(Boolean),
      );
    }
  }
  for (const [form, advice] of unresolvable) {
    for (const match of text.matchAll(form)) add(match.index, match[0], advice);
  }
  return found;
}

/** Why a section, or a row, step or part of it, does not exist; undefined if it does. */
function faultOf(cited: string, sections: Sections): string | undefined {
  const [, number = '', detail] = /^((?:appendix )?[\w.]+)(?: (.*))?$/i.exec(cited) ?? [];
  const text = sections.get(number.toLowerCase());
  if (text === undefined) return `docs/spec has no section ${number}`;
  if (detail === undefined) return undefined;
  const row = /^(?:#|step )(\d+)$/.exec(detail)?.[1];
  if (row !== undefined) return hasRow(text, row) ? undefined : `section ${number} has no row or step ${row}`;
  const [letter, step] = [detail.slice(0, 1), detail.slice(1)];
  const part = text.split(/^(?=[A-C]\. )/m).find((piece) => piece.startsWith(`${letter}. `));
  if (part === undefined) return `section ${number} has no part ${letter}`;
  return step === '' || hasRow(part, step) ? undefined : `part ${letter} of section ${number} has no step ${step}`;
}

/** Whether a text has a row of a table, or an item of a numbered list, with a number. */
function hasRow(text: string, number: string): boolean {
  return new RegExp(String.raw`^ *(?:\| *${number} *\||${number}\. )`, 'm').test(text);
}
