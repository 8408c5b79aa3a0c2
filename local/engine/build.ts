/** Makes `dist` from `src`: Node strips no types in packages that are installed. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
rmSync(join(here, 'dist'), { recursive: true, force: true });
execFileSync(join(here, '../../node_modules/.bin/tsc'), ['--project', join(here, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
