import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { Catalogue } from './catalogue.ts';
import { listTree, measureFile, type TreeFile } from './tree.ts';

/**
 * Registers a folder in the catalogue: each file with its size and checksums, one dataset for each top-level folder,
 * one container for everything. Then lists it again and compares.
 */

const usage = `usage: npm run example:register-tree -- FOLDER [--url URL] [--scope SCOPE] [--rse RSE] [--name NAME]

The account, the user and the password come from RUCIO_ACCOUNT, RUCIO_USERNAME and RUCIO_PASSWORD
(root, ddmlab and secret by default).`;

/** The largest attachment request. */
const filesPerRequest = 1000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: process.env['RUCIO_HOST'] ?? 'http://localhost:8080' },
    scope: { type: 'string', default: 'example' },
    rse: { type: 'string', default: 'EXAMPLE_DISK' },
    name: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error(usage);
  process.exit(2);
}
const root = resolve(folder);
const name = values.name ?? `${basename(root).replaceAll(/[^A-Za-z0-9]/g, '')}.${Date.now()}`;
const account = process.env['RUCIO_ACCOUNT'] ?? 'root';
const { scope, rse } = values;

const catalogue = await Catalogue.login({
  url: values.url,
  account,
  username: process.env['RUCIO_USERNAME'] ?? 'ddmlab',
  password: process.env['RUCIO_PASSWORD'] ?? 'secret',
});
await catalogue.ensure(`/accounts/${account}/scopes/${scope}`);
await catalogue.ensure(`/rses/${rse}`);

const paths = await listTree(root);
const groups = Map.groupBy(paths, (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : 'top'));
console.log(`registering ${paths.length} files of ${root} as ${scope}:${name} in ${groups.size} datasets`);

const registered = new Map<string, TreeFile>();
const started = performance.now();
const datasets: { scope: string; name: string }[] = [];
for (const [top, members] of groups) {
  const dataset = `${name}.${top.replaceAll(/[^A-Za-z0-9.\-_]/g, '_')}.ds`;
  await catalogue.post(`/dids/${scope}/${encodeURIComponent(dataset)}`, { type: 'DATASET' });
  datasets.push({ scope, name: dataset });
  for (let start = 0; start < members.length; start += filesPerRequest) {
    const files = await Promise.all(
      members.slice(start, start + filesPerRequest).map((path) => measureFile(root, path, name)),
    );
    const dids = files.map((file) => ({ scope, ...file }));
    await catalogue.post(`/dids/${scope}/${encodeURIComponent(dataset)}/dids`, { dids, rse });
    for (const file of files) registered.set(file.name, file);
    showProgress(registered.size, paths.length);
  }
}
await catalogue.post(`/dids/${scope}/${name}`, { type: 'CONTAINER' });
for (let start = 0; start < datasets.length; start += filesPerRequest) {
  await catalogue.post(`/dids/${scope}/${name}/dids`, { dids: datasets.slice(start, start + filesPerRequest) });
}
const seconds = (performance.now() - started) / 1000;
process.stdout.write('\n');
console.log(`registered in ${seconds.toFixed(1)} s, ${Math.round(paths.length / seconds)} files a second`);

const listed = new Map<string, { bytes: number; adler32: string }>();
for await (const file of catalogue.lines<{ name: string; bytes: number; adler32: string }>(
  `/dids/${scope}/${name}/files`,
)) {
  listed.set(file.name, file);
}
let differences = [...listed.keys()].filter((key) => !registered.has(key)).length;
for (const dataset of datasets) {
  for await (const { name: key, bytes, adler32, md5 } of catalogue.lines<TreeFile>(
    `/dids/${scope}/${encodeURIComponent(dataset.name)}/dids`,
  )) {
    const file = registered.get(key);
    const same = file?.bytes === bytes && file.adler32 === adler32 && file.md5 === md5;
    if (!same || listed.get(key)?.adler32 !== adler32) differences += 1;
  }
}
const total = registered.values().reduce((sum, { bytes }) => sum + bytes, 0);
const container = await catalogue.get<{ length: number; bytes: number }>(`/dids/${scope}/${name}?dynamic=True`);
console.log(`file system: ${registered.size} files, ${total} bytes`);
console.log(`catalogue:   ${container.length} files, ${container.bytes} bytes, ${listed.size} listed recursively`);
console.log(`checksums:   ${differences} differences`);
if (differences > 0 || listed.size !== paths.length || container.length !== paths.length || container.bytes !== total) {
  process.exitCode = 1;
}

function showProgress(done: number, all: number): void {
  const width = 40;
  const filled = Math.round((done / all) * width);
  process.stdout.write(`\r[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${all} files`);
}
