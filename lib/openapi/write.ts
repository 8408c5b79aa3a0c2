/** `node lib/openapi/write.ts <file>`: writes the OpenAPI document, for the bundle of the function that serves it. */
import { writeFileSync } from 'node:fs';

import { makeDocument } from './document.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('node lib/openapi/write.ts <file>');
writeFileSync(file, makeDocument());
