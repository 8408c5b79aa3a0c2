import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { projectRoot } from '../../../infra/project-root.ts';

/** The outcome of each test, by its file and full name. */
export type Outcomes = ReadonlyMap<string, 'passed' | 'failed'>;

/** A report of vitest, in the form of its reporter `json`. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Which tests are run, and where. */
interface SuiteOptions {
  /** The server and its root account; absent: a new local one. */
  readonly server?: { readonly url: string; readonly username: string; readonly password: string };
  /** Only files whose paths contain one of these. */
  readonly files: readonly string[];
  /** Where the report is written. */
  readonly report: string;
}

/** Runs the black-box tests and the cases of the official client library. Prints failures as they occur. */
export async function runSuite({ server, files, report }: SuiteOptions): Promise<Outcomes> {
  const program = join(projectRoot, 'node_modules', '.bin', 'vitest');
  const child = spawn(
    program,
    [
      'run',
      '--config',
      'test/deploy/vitest.config.ts',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ].concat(files),
    {
      cwd: projectRoot,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ...(server === undefined
          ? {}
          : { BASE_URL: server.url, ROOT_USERNAME: server.username, ROOT_PASSWORD: server.password }),
      },
    },
  );
  await once(child, 'exit');
  return readReport(report);
}

/** Reads a report; a file that could not run counts as a failed test. */
export async function readReport(path: string): Promise<Outcomes> {
  const { testResults } = JSON.parse(await readFile(path, 'utf8')) as Report;
  const outcomes = new Map<string, 'passed' | 'failed'>();
  for (const { name, assertionResults } of testResults) {
    const file = relative(projectRoot, name);
    if (assertionResults.length === 0) outcomes.set(file, 'failed');
    for (const { fullName, status } of assertionResults) {
      // Titles of random tests contain a seed that changes.
      const key = `${file} > ${fullName.replaceAll(/(seed[ =])\d+/gi, '$1...')}`;
      const before = outcomes.get(key);
      outcomes.set(key, status === 'passed' && before !== 'failed' ? 'passed' : 'failed');
    }
  }
  return outcomes;
}

/** Counts passed and failed tests. */
export function summarise(outcomes: Outcomes): { tests: number; passed: number; failed: number } {
  const passed = [...outcomes.values()].filter((outcome) => outcome === 'passed').length;
  return { tests: outcomes.size, passed, failed: outcomes.size - passed };
}

/** The tests whose outcomes differ, or that one side lacks. */
export function differences(deployed: Outcomes, local: Outcomes): string[] {
  const names = new Set([...deployed.keys(), ...local.keys()]);
  const said = (outcomes: Outcomes, name: string) => outcomes.get(name) ?? 'absent';
  return [...names].flatMap((name) =>
    said(deployed, name) === said(local, name)
      ? []
      : [`${name}: deployed ${said(deployed, name)}, local ${said(local, name)}`],
  );
}

/** The outcomes of some files. */
export function ofFiles(outcomes: Outcomes, wanted: Outcomes): Outcomes {
  const files = new Set([...wanted.keys()].map((name) => name.split(' > ')[0]));
  return new Map([...outcomes].filter(([name]) => files.has(name.split(' > ')[0])));
}
