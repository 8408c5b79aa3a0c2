/** Copies to RSEs whose paths a policy makes, by the mover of folders; and what happens to their files. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { serverInTurn, storage } from '../server-in-turn.ts';
import { addDisk, segment } from '../start-with-policy.ts';

interface Case {
  readonly scope: string;
  readonly name: string;
  readonly dataset: string;
  readonly source: string;
  readonly tape: string;
  readonly convention?: string;
  /** Below the prefixes. */
  readonly sourcePath: string;
  readonly tapePath: string;
}

const cases = {
  belleii: {
    scope: 'mc',
    name: '/belle/MC/release-06/hlt+1.root',
    dataset: '/belle/MC/release-06/sub00',
    source: 'KEK2-DATA-SE',
    tape: 'KEK2-TAPE-SE',
    sourcePath: 'belle/MC/release-06/hlt+1.root',
    tapePath: 'belle/MC/release-06/sub00/belle/MC/release-06/hlt+1.root',
  },
  lsst: {
    scope: 'main',
    name: 'HSC-R+HSC-G/calexp~1.fits',
    dataset: 'Dataset/HSC/runs',
    source: 'SLAC-DISK',
    tape: 'SLAC-TAPE',
    convention: 'lsst_usdftape',
    sourcePath: 'main/d4/fe/HSC-R+HSC-G/calexp~1.fits',
    tapePath: 'archive/Dataset/HSC/runs~/main:HSC-R+HSC-G/calexp~1.fits',
  },
  generic: {
    scope: 'data26',
    name: 'f1',
    dataset: 'data26.run1.raw.f1.AOD.r1_tid01',
    source: 'A_DISK',
    tape: 'A_TAPE',
    convention: 'def',
    sourcePath: '',
    tapePath: 'data26/AOD/r1/data26.run1.raw.f1.AOD.r1_tid01/f1',
  },
} satisfies Record<string, Case>;

/** A copy under one of the policies. */
export function testCopies(policy: keyof typeof cases): void {
  const { scope, name, dataset, source, tape, convention, ...paths }: Case = cases[policy];

  it('a copy gets the path of the convention on a tape, and of the algorithm on a disk', async () => {
    const server = await serverInTurn(policy);
    const { must } = server;
    await must('POST', `/accounts/root/scopes/${scope}`);
    const prefixOf = (rse: string) => join(storage, policy, rse);
    await addDisk(server, source, { prefix: prefixOf(source) });
    await addDisk(server, tape, {
      prefix: prefixOf(tape),
      properties: { deterministic: false, rse_type: 'TAPE' },
      attributes: { mover: 'posix', ...(convention === undefined ? {} : { naming_convention: convention }) },
    });
    const did = `${scope}:${name}`;
    const told = await must(
      'GET',
      `/rses/${source}/lfns2pfns?lfn=${encodeURIComponent(did)}&scheme=file&operation=write`,
    );
    const pfn = (JSON.parse(told.text) as Record<string, string>)[did] ?? '';
    const place = pfn.replace(/^file:\/\/localhost(?::0)?/, '');
    if (paths.sourcePath !== '') expect(place.replaceAll('//', '/')).toBe(join(prefixOf(source), paths.sourcePath));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, 'abc');
    await must('POST', `/dids/${scope}/${segment(dataset)}`, { type: 'DATASET' });
    const file = { scope, name, bytes: 3, adler32: '024d0127', pfn };
    await must('POST', `/dids/${scope}/${segment(dataset)}/dids`, { dids: [file], rse: source });
    await must('POST', `/accountlimits/local/root/${tape}`, { bytes: 1_000 });
    const dids = [{ scope, name: dataset }];
    await must('POST', '/rules/', { dids, account: 'root', copies: 1, rse_expression: tape });
    await expect
      .poll(async () => (await must('GET', `/dids/${scope}/${segment(dataset)}/rules`)).lines, {
        timeout: 30_000,
        interval: 50,
      })
      .toMatchObject([{ state: 'OK', error: null, locks_ok_cnt: 1 }]);
    expect(existsSync(join(prefixOf(tape), paths.tapePath))).toBe(true);
    const [line] = (await must('GET', `/replicas/${scope}/${segment(name)}`)).lines as [
      { readonly rses: Record<string, string[]> },
    ];
    expect(line.rses[tape]?.map((text) => text.replaceAll('//', '/'))).toEqual([
      `file://localhost${join(prefixOf(tape), paths.tapePath)}`.replaceAll('//', '/'),
    ]);
    // The PFN leads back to the file, though it does not name the scope.
    const found = await must('POST', '/replicas/dids', { rse: source, pfns: [pfn] });
    expect(found.lines).toEqual([{ [pfn]: { scope, name } }]);
  });
}

/** How a policy without scopes in its paths keeps two scopes apart, with the file of the copy. */
export function testOwnedPath(): void {
  it('belongs to one of the scopes', async () => {
    const server = await serverInTurn('belleii');
    await server.must('POST', '/accounts/root/scopes/other');
    const name = '/belle/MC/release-06/hlt+1.root';
    const files = [{ scope: 'other', name, bytes: 3, adler32: '024d0127' }];
    const { status, error } = await server.ask('POST', '/replicas/', { rse: 'KEK2-DATA-SE', files });
    expect(status).toBe(400);
    expect(error).toMatch(/^InvalidPath: The path '\/belle\/MC\/release-06\/hlt\+1.root' of other:.* belongs to mc:/);
  });
}
