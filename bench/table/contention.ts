import { parseArgs } from 'node:util';

import { ContentionRun } from './contention-run.ts';

/*
 * Many clients that fill one dataset at the same time, in a simulated deployment (docs/adr/0016-simulated-deployment.md) where
 * requests conflict and partitions have limits, as on AWS: an instance serves one request at a time, a transaction
 * holds its items for 8 to 20 ms, a request to the table is 1.5 to 4 ms on each way. Time is virtual: the figures do not depend on this
 * machine, and a seed has one result. Processor time of the service does not count.
 *
 * The first part has no rule; in the second one a rule is made while the dataset is being filled. The program fails if a request
 * is refused, if the dataset does not hold exactly the acknowledged files, or if the rule is not OK in the end.
 */

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '60' },
    'rule-seconds': { type: 'string', default: '20' },
    seed: { type: 'string', default: 'contention' },
  },
});
const run = await ContentionRun.open({
  clients: Number(values.clients),
  milliseconds: Number(values.seconds) * 1_000,
  withRule: Number(values['rule-seconds']) * 1_000,
  seed: values.seed,
});
try {
  const rows = await run.run((line) => console.error(line));
  console.log('| | requests | errors | a second | p50 ms | p99 ms | max ms | table requests | RRU | WRU |');
  console.log('| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |');
  for (const { what, milliseconds, replies } of rows.phases) {
    const times = replies.map((reply) => reply.milliseconds).sort((one, other) => one - other);
    const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0);
    const mean = (of: 'calls' | 'rru' | 'wru') =>
      (replies.reduce((sum, reply) => sum + reply[of], 0) / replies.length).toFixed(1);
    const done = replies.filter(({ status }) => status === 201).length;
    const rate = ((done * 1_000) / milliseconds).toFixed(0);
    const cells = [what, replies.length, describeErrors(replies), rate, at(0.5), at(0.99), at(1)];
    console.log(`| ${[...cells, mean('calls'), mean('rru'), mean('wru')].join(' | ')} |`);
  }
  for (const line of rows.findings) console.log(line);
  for (const flaw of rows.flaws) console.error(`FLAW: ${flaw}`);
  if (rows.flaws.length > 0) process.exitCode = 1;
} finally {
  run.close();
}

function describeErrors(replies: readonly { readonly status: number }[]): string {
  const errors = Object.entries(Object.groupBy(replies, ({ status }) => status)).filter(([status]) => status !== '201');
  return errors.length === 0 ? '0' : errors.map(([status, found = []]) => `${found.length} x ${status}`).join(', ');
}
