/** The content of files. */
import { hash } from 'node:crypto';

import { Adler32 } from '../../lib/movers/adler32.ts';
import { bytesOf } from '../model/model.ts';

/** The name of a file with its scope. */
export interface FileName {
  readonly scope: string;
  readonly name: string;
}

/** A file that a storage holds. */
export interface Content {
  /** `scope:name` of the file that it should be, or anything else for what is none. */
  readonly of: string;
  /** Something else of the same size: it has rotted, or never was that file. */
  readonly isWrong: boolean;
  /** Nobody has noticed that it is wrong, nor had when it was copied. */
  isExcused: boolean;
  readonly bytes: Uint8Array;
}

/** The right content of a file. */
export function contentOf({ scope, name }: FileName): Content {
  const of = `${scope}:${name}`;
  return { of, isWrong: false, isExcused: false, bytes: Buffer.alloc(bytesOf(name), `${of} `) };
}

/** Something else of the size of a file. */
export function wrongContentOf({ scope, name }: FileName, what: 'rotten' | 'stray'): Content {
  const of = `${scope}:${name}`;
  return { of, isWrong: true, isExcused: what === 'rotten', bytes: Buffer.alloc(bytesOf(name), `${what} ${of} `) };
}

/** Files of which clients tell only the size. */
const unsummed = new Set(['xf2', 'xf3', 'xf4']);

/** Attributes of a file that clients register. */
export function describeFile(file: FileName) {
  const { bytes } = contentOf(file);
  const { name } = file;
  return { bytes: bytes.length, ...(unsummed.has(name) ? {} : { adler32: adler32Of(bytes) }) };
}

/** The Adler-32 checksum of bytes. */
export function adler32Of(bytes: Uint8Array): string {
  const sum = new Adler32();
  sum.update(bytes);
  return sum.digest();
}

/** The path of a file at an RSE whose paths follow from the names. */
export function pathOf({ scope, name }: FileName): string {
  const digest = hash('md5', `${scope}:${name}`);
  return `/${scope.replaceAll('.', '/')}/${digest.slice(0, 2)}/${digest.slice(2, 4)}/${name}`;
}
