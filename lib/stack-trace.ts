import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

/** Where a stack trace says that it is: file or URL, line and column, both from 1. */
const place = /((?:file:\/\/)?\/[^\s():]+):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

/**
 * A stack trace with the places of the sources in place of those of a bundle. The map of a bundle is read when it is first
 * needed: with `--enable-source-maps` every cold start reads it, 1 MB for nothing.
 */
export function readableStack(stack: string): string {
  return stack.replaceAll(place, (text: string, file: string, line: string, column: string) => {
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
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload);
  } catch {
    // A log record without places says more than none.
    return undefined;
  }
}
