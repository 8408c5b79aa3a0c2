/** `node lib/openapi/write.ts <file> <policy>`: writes the OpenAPI document, for the bundle of the function that serves it. */
import { writeFileSync } from 'node:fs';

const [file, policy] = process.argv.slice(2);
if (file === undefined || policy === undefined) throw new Error('node lib/openapi/write.ts <file> <policy>');
// The contract reads the policy when it is loaded.
process.env['POLICY'] = policy;
const { makeDocument } = await import('./document.ts');
writeFileSync(file, makeDocument());
