/**
 * `npm run test:policies`: compares every policy with the package that it was read from, by generated names and files, and by all rights.
 *
 * node test/policies/oracle/main.ts [--count <number>] [--seed <number>] [--sources <folder>] [policy ...]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { policyNames, readPolicy } from '../../../lib/policy/read-policy.ts';
import { makeVenv } from '../../support/python-venv.ts';
import { compare, type Comparison } from './compare.ts';
import { type Answers, makeQuestions } from './questions.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '56' },
    /** Holds the packages that are not on PyPI. */
    sources: { type: 'string' },
  },
});
const here = import.meta.dirname;
const shown = 5;

/** Packages that Rucio requires and nobody asks for here. */
const without =
  'argcomplete boto boto3 click flask geoip2 google-auth oic prometheus-client prometheus_client python-dateutil python-magic redis rich statsd stomp-py stomp.py tabulate rucio-clients rucio'.split(
    ' ',
  );

async function findPython(): Promise<string | undefined> {
  try {
    const requirements = join(here, 'requirements.txt');
    const bin = await makeVenv({ name: 'policies-venv', holds: 'the policy packages', requirements, without });
    return join(bin, 'python');
  } catch (error) {
    if (!/needs Python|no virtual environment/.test(String(error))) throw error;
    console.log(`SKIPPED: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

async function compareWithOriginal(name: string, python: string, folder: string): Promise<Comparison | undefined> {
  const policy = await readPolicy(name);
  const questions = makeQuestions(policy, Number(values.count), Number(values.seed));
  const asked = join(folder, `${name}.json`);
  writeFileSync(asked, JSON.stringify(questions));
  const ask = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): unknown => {
    const target = join(folder, 'answers.json');
    execFileSync(program, [...args.slice(0, 1), asked, target, ...args.slice(1)], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return JSON.parse(readFileSync(target, 'utf8'));
  };
  const sources = values.sources === undefined ? [] : [values.sources];
  const original = ask(python, [join(here, 'oracle.py'), ...sources], {}) as Answers | { readonly missing: string };
  if ('missing' in original) {
    console.log(
      `${name}: SKIPPED, ${original.missing} is not on PyPI; name a folder with it by --sources (${policy.source})`,
    );
    return undefined;
  }
  const own = ask(process.execPath, [join(here, 'judge.ts')], { POLICY: name }) as Answers;
  return compare(questions, original, own);
}

/** Compares the rights, and tells what differs; returns 1 if something does. */
function compareRights(name: string, python: string): number {
  const program = [join(here, 'rights.ts'), python, folder, ...(values.sources === undefined ? [] : [values.sources])];
  const { status } = spawnSync(process.execPath, program, { env: { ...process.env, POLICY: name }, stdio: 'inherit' });
  return status === 0 ? 0 : 1;
}

const python = await findPython();
const folder = mkdtempSync(join(tmpdir(), 'policies-'));
let failed = 0;
try {
  for (const name of python === undefined ? [] : positionals.length > 0 ? positionals : policyNames) {
    const found = await compareWithOriginal(name, python ?? '', folder);
    if (found === undefined) continue;
    const { names, paths, decided, differences } = found;
    const reasons = [...decided].map(([reason, count]) => `${reason} ${count}`).join(', ') || 'none';
    console.log(
      `${name}: ${names} names and ${paths} paths and scopes compared; ${differences.length} differ; decided: ${reasons}`,
    );
    for (const difference of differences.slice(0, shown)) console.log(`  ${difference}`);
    failed += differences.length;
    failed += compareRights(name, python ?? '');
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed === 0 ? 0 : 1;
