/** The files of examples/lab-server name options, paths, metrics and headers that exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { readSettings } from '../../local/options.ts';
import { asRoot, nobody } from '../support/server.ts';

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
