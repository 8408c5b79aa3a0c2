import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

import { parseNamed } from './json-names.ts';

/** A position in a stack trace: file or URL, line and column, both counted from 1. */
const position = /((?:file:\/\/)?\/[^\s():]+):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

/**
 * Translates the positions in a stack trace from a bundle to its sources. The source map is read on first use: with
 * `--enable-source-maps` every cold start would read it, 1 MB.
 */
export function readableStack(stack: string): string {
  return stack.replaceAll(position, (text: string, file: string, line: string, column: string) => {
    const entry = mapOf(file.replace(/^file:\/\//, ''))?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return text;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  return maps.get(file);
}

function readMap(path: string): SourceMap | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return new SourceMap(parseNamed(readFileSync(path, 'utf8')) as SourceMapPayload);
  } catch {
    // A log record without source positions is better than none.
    return undefined;
  }
}
