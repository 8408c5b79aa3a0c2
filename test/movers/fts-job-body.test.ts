import { describe, expect, it } from 'vitest';

import { describeJob } from '../../lib/movers/fts/describe-job.ts';
import { FtsTool } from '../../lib/movers/fts/fts-tool.ts';
import type { CopyPlace, StorageRse } from '../../lib/movers/mover.ts';
import type { ToolJob } from '../../lib/movers/transfer-tool.ts';

const name = 'a b#c%41?d';
const place = (rse: string, more: Partial<StorageRse> = {}): CopyPlace => ({
  rse: {
    id: `id of ${rse}`,
    rse,
    rseType: 'DISK',
    ...more,
    attributes: { fts: 'https://fts.example.org', ...more.attributes },
  },
  pfn: `davs://${rse.toLowerCase()}.example.org/${name}`,
  prefix: '/',
  url: `https://${rse.toLowerCase()}.example.org/${encodeURIComponent(name)}`,
});
const adler32 = '062c0215';
const md5 = '5d41402abc4b2a76b9719d911017c592';
const jobOf = (
  source: Partial<StorageRse>,
  destination: Partial<StorageRse>,
  more: Partial<ToolJob> = {},
): ToolJob => ({
  id: 'lease1',
  source: place('ONE', source),
  destination: place('TWO', destination),
  did: { scope: 'data', name },
  attemptId: 'transfer1-0',
  activity: 'Production',
  priority: 4,
  bytes: 5,
  adler32,
  md5,
  replaces: false,
  requireLease: () => {},
  ...more,
});

interface Body {
  readonly files: readonly Readonly<Record<string, unknown>>[];
  readonly params: Readonly<Record<string, unknown>>;
}
function bodyOf(source: Partial<StorageRse> = {}, destination: Partial<StorageRse> = {}, more: Partial<ToolJob> = {}) {
  const body = describeJob(jobOf(source, destination, more), { source: 'token 1', destination: 'token 2' }) as Body;
  const [file = {}] = body.files;
  return { file, params: body.params };
}
const tape = (attributes: StorageRse['attributes'] = {}) => ({ rseType: 'TAPE', attributes });
const disk = (attributes: StorageRse['attributes']) => ({ attributes });

describe('the body of a submission to FTS', () => {
  it('has the fields that Rucio sends, and asks what is at the destination', () => {
    const { file, params } = bodyOf();
    expect(file['metadata']).toEqual({
      request_id: 'transfer1-0',
      request_type: 'TRANSFER',
      scope: 'data',
      name,
      activity: 'Production',
      src_type: 'DISK',
      dst_type: 'DISK',
      src_rse: 'ONE',
      dst_rse: 'TWO',
      src_rse_id: 'id of ONE',
      dest_rse_id: 'id of TWO',
      filesize: 5,
      adler32,
      md5,
    });
    expect(params).toMatchObject({
      dst_file_report: true,
      max_time_in_queue: 168,
      s3alternate: true,
      overwrite: false,
      overwrite_when_only_on_disk: false,
      bring_online: -1,
      copy_pin_lifetime: -1,
    });
    for (const absent of ['strict_copy', 'ipv4', 'ipv6', 'archive_timeout']) expect(params).not.toHaveProperty(absent);
    expect(file).not.toHaveProperty('staging_metadata');
  });

  it('escapes the marks of a URL, and keeps the scheme', () => {
    expect(bodyOf().file).toMatchObject({
      sources: ['davs://one.example.org/a%20b%23c%2541%3Fd'],
      destinations: ['davs://two.example.org/a%20b%23c%2541%3Fd'],
    });
  });

  it('has metadata that FTS takes, however long the names are', () => {
    const { file } = bodyOf({}, {}, { did: { scope: 'data', name: 'ä'.repeat(250) } });
    expect(file['metadata']).toEqual({
      request_id: 'transfer1-0',
      request_type: 'TRANSFER',
      src_type: 'DISK',
      dst_type: 'DISK',
      src_rse_id: 'id of ONE',
      dest_rse_id: 'id of TWO',
    });
  });

  it.each([
    [{}, {}, 'both', `ADLER32:${adler32}`],
    [{}, { supported_checksums: 'md5' }, 'both', `MD5:${md5}`],
    [{ supported_checksums: 'adler32' }, { supported_checksums: 'md5, adler32' }, 'both', `ADLER32:${adler32}`],
    [{ supported_checksums: 'adler32' }, { supported_checksums: 'md5' }, 'target', `MD5:${md5}`],
    [{ verify_checksum: false }, {}, 'target', `ADLER32:${adler32}`],
    [{ supported_checksums: 'none' }, {}, 'target', `ADLER32:${adler32}`],
    [{}, { verify_checksum: 'False' }, 'source', `ADLER32:${adler32}`],
    [{ verify_checksum: 'false' }, { verify_checksum: 0 }, 'none', undefined],
  ])('compares checksums as the RSEs allow: %o to %o: %s', (source, destination, verify, checksum) => {
    const { file, params } = bodyOf(disk(source), disk(destination));
    expect([params['verify_checksum'], file['checksum']]).toEqual([verify, checksum]);
  });

  it('names the kind of checksum that both ends support, where the catalogue knows none', () => {
    const unknown = { adler32: undefined, md5: undefined };
    const onlyMd5 = disk({ supported_checksums: 'md5' });
    expect(bodyOf(onlyMd5, {}, unknown).file['checksum']).toBe('MD5');
    expect(bodyOf({}, {}, unknown).file['checksum']).toBeUndefined();
  });

  it('brings files from tape', () => {
    for (const source of [tape(), disk({ staging_required: 'True' })]) {
      const { file, params } = bodyOf(source);
      expect(params).toMatchObject({ bring_online: 43_200, copy_pin_lifetime: 172_800 });
      expect(file).toMatchObject({
        staging_metadata: { default: { activity: 'Production' } },
        metadata: { src_type: 'TAPE', dst_type: 'DISK' },
      });
    }
  });

  it('waits until files are on tape for as long as the RSE says', () => {
    expect(bodyOf({}, tape({ archive_timeout: '86400' })).params).toMatchObject({ archive_timeout: 86_400 });
    for (const destination of [tape({ archive_timeout: 'soon' }), tape(), disk({ archive_timeout: 86_400 })])
      expect(bodyOf({}, destination).params).not.toHaveProperty('archive_timeout');
  });

  it.each([
    [disk({}), false, false, false],
    [disk({ overwrite: true }), false, true, false],
    [disk({ overwrite_when_only_on_disk: true }), false, false, false],
    [tape({ overwrite_when_only_on_disk: true, overwrite: true }), false, false, true],
    [tape({ overwrite: 'True' }), false, true, false],
    [tape({ overwrite_when_only_on_disk: true }), true, true, false],
    [disk({}), true, true, false],
  ])('replaces what is there only where it may: %o, a bad file: %s', (destination, replaces, overwrite, onlyOnDisk) => {
    const { params } = bodyOf({}, destination, { replaces });
    expect([params['overwrite'], params['overwrite_when_only_on_disk']]).toEqual([overwrite, onlyOnDisk]);
  });

  it('follows the other attributes of the RSEs', () => {
    const { params } = bodyOf(
      disk({ use_ipv4: true, s3_url_style: 'host' }),
      disk({ strict_copy: 'True', max_time_in_queue: 24 }),
    );
    expect(params).toMatchObject({
      ipv4: true,
      ipv6: false,
      s3alternate: false,
      strict_copy: true,
      max_time_in_queue: 24,
    });
  });
});

describe('a copy whose content nobody compares', () => {
  const tool = new FtsTool({ findTokens: async () => ({ fts: 'x', storage: 'x' }) });
  const message = 'No checksum that TWO supports shows whether a copy from ONE is right (supported_checksums).';

  it.each([
    [{}, { supported_checksums: 'none' }, {}, message],
    [{ supported_checksums: 'none' }, {}, { adler32: undefined, md5: undefined }, message],
    [{ supported_checksums: 'adler32' }, { supported_checksums: 'md5' }, { md5: undefined }, message],
    [{}, { supported_checksums: 'none', verify_checksum: false }, {}, undefined],
    [{}, {}, { adler32: undefined, md5: undefined }, undefined],
  ])('is not made, unless its RSE accepts the size: %o to %o, %o', async (source, destination, known, obstacle) => {
    expect(await tool.findObstacle(jobOf(disk(source), disk(destination), known))).toBe(obstacle);
  });
});
