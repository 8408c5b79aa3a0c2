/** Every public method of the official client library (the cases are in test/compat/methods). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { rootUser } from '../support/run.ts';
import { formatRecording, recordingPath, summarise } from './results.ts';
import { createClientHome } from './support/client-home.ts';

/** The output of `python -m methods`. */
interface Report {
  readonly client: string;
  readonly methods: readonly string[];
  readonly otherClients: readonly string[];
  readonly leftOut: Readonly<Record<string, string>>;
  readonly results: readonly {
    readonly method: string;
    readonly rule: string;
    readonly differs: string | null;
    readonly error: string | null;
  }[];
}

/** Runs all cases in one process. */
async function runCases(): Promise<Report> {
  const home = await createClientHome({ account: 'root', ...rootUser() });
  const folder = await mkdtemp(join(tmpdir(), 'dapple-credentials-'));
  const keys = { access_key: 'AKIDCOMPAT', secret_key: 'compat', region: 'eu-test-1', tempurl_key: 'compat' };
  await writeFile(join(folder, 'credentials.json'), JSON.stringify({ COMPAT_SIGNED: keys }), { mode: 0o600 });
  process.env['RSE_CREDENTIALS_FILE'] = join(folder, 'credentials.json');
  try {
    const { status, stdout, stderr } = await home.python('methods');
    if (status !== 0) throw new Error(`the cases did not run:\n${stderr}`);
    return JSON.parse(stdout) as Report;
  } finally {
    delete process.env['RSE_CREDENTIALS_FILE'];
    await rm(folder, { recursive: true, force: true });
    await home.remove();
  }
}

const report = await runCases();
const { methods, results } = report;
const casesOf = (method: string) => results.filter((result) => result.method === method);

describe.each(results)('$method', ({ rule, error }) => {
  it(rule, () => {
    if (error !== null) expect.fail(error);
  });
});

describe('the cases', () => {
  it('cover every public method of the clients, and no others', () => {
    expect([...new Set(results.map(({ method }) => method))].sort()).toEqual([...methods].sort());
  });

  it('leave out other clients for a stated reason', () => {
    expect(Object.keys(report.leftOut).sort()).toEqual([...report.otherClients].sort());
  });

  it('are recorded for docs/compatibility.md (renew with -u)', async () => {
    const subjects = methods.map((method) => {
      const cases = casesOf(method).map(({ rule, differs, error }) => ({
        name: method,
        rule,
        differs,
        failed: error !== null,
      }));
      return summarise(method, cases);
    });
    const others = Object.entries(report.leftOut).map(([name, why]) => ({ name, why }));
    const recording = formatRecording({ client: report.client, subjects, others });
    await expect(recording).toMatchFileSnapshot(recordingPath('methods'));
  });
});
