/** Makes one copy by the streaming mover as it is deployed, and prints the time, the processor time and the memory that it took. */
import { StreamMover } from '../../lib/movers/stream/stream-mover.ts';

const { folder, ...job } = JSON.parse(process.argv[2] ?? '');
const mover = new StreamMover({
  folders: [folder],
  findKeys: async () => ({ accessKey: 'AKID', secretKey: 'secret', region: 'eu-test-1' }),
  findToken: async () => undefined,
});
const started = performance.now();
await mover.copy({ id: 'bench', replaces: false, requireLease: () => {}, ...job }, new AbortController().signal);
const seconds = (performance.now() - started) / 1_000;
const { user, system } = process.cpuUsage();
const processorSeconds = (user + system) / 1e6;
console.log(JSON.stringify({ seconds, processorSeconds, megabytes: process.resourceUsage().maxRSS / 1_024 }));
