import { ping } from '../lib/contract/ping.ts';
import { createHandler } from '../lib/http/handler.ts';
import { addHeartbeat, listHeartbeats } from '../lib/operations/ping/heartbeats.ts';
import packageJson from '../package.json' with { type: 'json' };

export const handler = createHandler(ping, {
  ping: () => ({ version: packageJson.version }),
  listHeartbeats,
  addHeartbeat: { run: (context, { body }) => addHeartbeat(context, body), present: () => ({ body: 'OK' }) },
});
