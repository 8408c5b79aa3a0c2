import { readFileSync } from 'node:fs';

import { documentFileName } from '../../lib/contract/page-files.ts';

/* Stands in the package for lib/openapi/document.ts, which makes the document of the contract. */

/** The OpenAPI document, as it was made with the package. */
export function makeDocument(): string {
  return readFileSync(new URL(`../${documentFileName}`, import.meta.url), 'utf8');
}
