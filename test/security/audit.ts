import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/*
 * Asks the registry for known vulnerabilities in the dependencies of the functions and the server, and fails for those of high severity. If the
 * registry does not answer, it prints that and passes, so that CI does not depend on it; with `--strict`, for a release, it fails.
 */

interface Report {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
  readonly message?: string;
}

const { values } = parseArgs({ options: { strict: { type: 'boolean', default: false } } });
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=1', '--fetch-timeout=20000'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const { vulnerabilities, message } = read(stdout);

if (vulnerabilities === undefined) {
  // The message holds the registry's address, which is of no interest.
  console.log(`audit: NOT DONE, the registry does not answer it (${message?.split(' - ')[0] ?? 'no answer'})`);
  process.exitCode = values.strict ? 1 : 0;
} else {
  const found = Object.entries(vulnerabilities);
  for (const [name, { severity, range }] of found) console.log(`audit: ${severity}: ${name} ${range}`);
  const grave = found.filter(([, { severity }]) => severity === 'high' || severity === 'critical');
  console.log(`audit: ${found.length} vulnerable packages, ${grave.length} of them of high severity`);
  process.exitCode = grave.length > 0 ? 1 : 0;
}

function read(text: string): Report {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return {};
  }
}
