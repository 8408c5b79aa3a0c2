/** The files of examples/lab-server name options, paths, metrics and headers that exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { readSettings } from '../../local/options.ts';
import { newStorageRse, register } from '../support/replicas.ts';
import { asRoot, type Client, createClient, newAccount, nobody, uniqueName } from '../support/server.ts';

const folder = join(import.meta.dirname, '../../examples/lab-server');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

it('server.json has options of the server, and jobs', () => {
  const settings = readSettings(['--settings', join(folder, 'server.json')]);
  expect(settings).toMatchObject({
    port: 443,
    metricsPort: 9464,
    isReaping: true,
    tls: { cert: '/etc/dapple/cert.pem' },
  });
  expect(settings?.jobs.map(({ command }) => command)).toEqual(['backup', 'check-storage', 'check-storage', 'report']);
});

it('the unit starts the server with these settings, in folders that nobody else reads', () => {
  const unit = read('dapple.service');
  expect(unit).toContain('dapple start --settings /etc/dapple/server.json');
  for (const line of ['StateDirectoryMode=0700', 'UMask=0077', 'Restart=always']) expect(unit).toContain(`${line}\n`);
});

it('alerts are about metrics that are documented', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const guide = readFileSync(join(import.meta.dirname, '../../docs/how-to/lab-server.md'), 'utf8');
  const alerts = read('dapple-alerts.yml');
  const metrics = new Set([...alerts.matchAll(/dapple_(\w+)/g)].map(([, name = '']) => name));
  expect(metrics.size).toBeGreaterThan(8);
  for (const name of metrics) expect(page).toContain(`\`${name}\``);
  for (const [, name = ''] of alerts.matchAll(/alert: (\w+)/g)) expect(guide).toContain(`\`${name}\``);
  expect((await asRoot().get('/ping')).status).toBe(200);
  expect((await nobody.get('/metrics')).text).toContain('dapple_rules{state="STUCK"}');
});

it('the proxies are told what the server believes', () => {
  for (const name of ['Caddyfile', 'nginx.conf']) expect(read(name)).toContain('--behind-proxy loopback --allow-host');
  for (const header of ['For', 'Proto', 'Host']) expect(read('nginx.conf')).toContain(`X-Forwarded-${header} $`);
});

it('a group shares the quota of an account, to which its members log in with their own passwords', async () => {
  const root = asRoot();
  const [rse, group, members] = [await newStorageRse(), uniqueName('optics'), [await newAccount(), await newAccount()]];
  await root.post(`/accounts/${group}`, { type: 'GROUP', email: 'optics@example.org' });
  await root.post(`/scopes/${group}/${group}`);
  await root.post(`/accounts/${group}/limits/local/${rse}`, { bytes: 25 });
  const asGroup = [];
  for (const { username, password } of members) {
    const identity = { identity: username, authtype: 'USERPASS', email: 'member@example.org' };
    expect((await root.post(`/accounts/${group}/identities`, identity)).status).toBe(201);
    asGroup.push(createClient({ account: group, username, password }));
  }
  await register(rse, group, ['a', 'b', 'c']);
  const ask = async (client: Client | undefined, name: string) => {
    const rule = { dids: [{ scope: group, name }], copies: 1, rse_expression: rse, account: group };
    return (await client?.post('/rules/', rule))?.status;
  };
  expect(await ask(members[0], 'a')).toBe(401);
  expect([await ask(asGroup[0], 'a'), await ask(asGroup[1], 'b'), await ask(asGroup[0], 'c')]).toEqual([201, 201, 409]);
});
