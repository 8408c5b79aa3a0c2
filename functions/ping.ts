import { ping } from '../lib/contract/ping.ts';
import { createHandler } from '../lib/http/handler.ts';
import { getHealth } from '../lib/operations/ping/get-health.ts';
import packageJson from '../package.json' with { type: 'json' };

export const handler = createHandler(ping, {
  ping: () => ({ version: packageJson.version }),
  getHealth: (context) => getHealth(context),
});
