import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { documentFileName } from '../../contract/page-files.ts';

let source = () => readFile(join(import.meta.dirname, documentFileName), 'utf8');
let text: Promise<string> | undefined;

/** Sets where the document comes from; for the local server, which makes it of the contract. */
export function setDocumentSource(given: () => Promise<string>): void {
  source = given;
}

/** The OpenAPI document; by default the file beside the bundle of a deployed function. Read once. */
export function loadDocument(): Promise<string> {
  text ??= source();
  return text;
}
