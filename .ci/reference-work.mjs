// A fixed piece of work, some seconds long, of the kind that the tests do: objects, JSON texts, sorting, hashes, promises.
// Its processor time tells how fast this machine is now.
import { createHash } from 'node:crypto';

const rounds = 120;
const rowsPerRound = 12_000;

async function work(seed) {
  const rows = Array.from({ length: rowsPerRound }, (_value, index) => ({
    name: `file.${(index * 7919 + seed) % rowsPerRound}`,
    bytes: index * 1_048_583,
    states: { DISK: 'AVAILABLE', TAPE: index % 3 === 0 ? 'COPYING' : 'BAD' },
  }));
  const lines = rows.map((row) => JSON.stringify(row));
  const sorted = lines.map((line) => JSON.parse(line)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const byState = Map.groupBy(sorted, ({ states }) => states.TAPE);
  let sum = 0;
  for (const group of byState.values()) for (const row of group) sum += await Promise.resolve(row.bytes % 7);
  return createHash('sha256').update(lines.join('\n')).update(String(sum)).digest('hex');
}

let last = '';
for (let round = 0; round < rounds; round += 1) last = await work(round);
console.log(last);
