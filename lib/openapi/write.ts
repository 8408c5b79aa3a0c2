/** `npm run docs -- openapi`: writes the document that functions/openapi.ts serves. */
import { writeFileSync } from 'node:fs';

import packageJson from '../../package.json' with { type: 'json' };
import { groups } from '../contract/index.ts';
import { toOpenapi } from './document.ts';

const document = toOpenapi(groups, packageJson.version);
writeFileSync(new URL('openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
