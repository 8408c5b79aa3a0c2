import { parseArgs } from 'node:util';

import { clock } from '../../lib/clock.ts';
import { type ActionKind, weights } from './actions.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import { mutations } from './mutations.ts';

const allLimits = ['any', 'usual', 'small'] as const;
type Limits = (typeof allLimits)[number];

/** The options of a run; can be passed to a thread. */
export interface Plan {
  readonly seed: string;
  readonly operations: number;
  readonly length: number;
  /** No history starts after this time, in milliseconds since 1970. */
  readonly until: number;
  readonly kinds: ReadonlySet<FaultKind>;
  readonly chosen: Readonly<Partial<Record<ActionKind, number>>>;
  /** Each history leaves out some actions and faults. */
  readonly swarm: boolean;
  /** The limits of the service; `any`: small ones in half of the histories. */
  readonly limits: Limits;
  readonly keepsGoing: boolean;
  readonly workers: number;
  readonly mutation: string | undefined;
}

/** The text of `--help`. */
export const help = `npm run simulate -- [options]     goes through random histories in a simulated deployment

  --seed <text>        of the first history (default: the time); a flaw names the seed that shows it again
  --operations <n>     so many operations (default: 20000)
  --length <n>         of one history (default: 1000)
  --minutes <n>        begins no history after so many (default: no limit)
  --workers <n>        so many threads, with histories of their own (default: 1)
  --only <kinds>       faults that may happen, separated by commas (default: all; "none")
  --without <kinds>    faults that may not, and things that clients do not do
  --swarm              leaves out half of the actions and a quarter of the faults, others in each history
  --limits <which>     "usual" or "small": so small that tasks take several steps (default: any, half of each)
  --keep-going         goes on after a history that shows a flaw; flaws are then only listed
  --mutate <name>      puts a defect back that the service had, which is to be found
  --help               this text

Faults: ${faultKinds.join(', ')}.
Clients: ${Object.keys(weights).join(', ')}.
Mutations: ${Object.keys(mutations).join(', ')}.
SIMULATE_LOG=ERROR shows what the service logs. Ends with 1 when a history showed a flaw; with --mutate, when
none did.`;

/** Reads the command line; undefined: print the help. */
export function readPlan(): Plan | undefined {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Date.now()) },
      operations: { type: 'string', default: '20000' },
      length: { type: 'string', default: '1000' },
      minutes: { type: 'string', default: 'Infinity' },
      workers: { type: 'string', default: '1' },
      only: { type: 'string' },
      without: { type: 'string', default: '' },
      limits: { type: 'string', default: 'any' },
      swarm: { type: 'boolean', default: false },
      'keep-going': { type: 'boolean', default: false },
      mutate: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const without = new Set(values.without.split(','));
  const only = values.only === undefined ? faultKinds : values.only.split(',');
  const entries = Object.entries(weights).filter(([kind]) => !without.has(kind));
  return {
    seed: values.seed,
    operations: Number(values.operations),
    length: Number(values.length),
    until: clock.now() + Number(values.minutes) * 60_000,
    kinds: new Set(faultKinds.filter((kind) => only.includes(kind) && !without.has(kind))),
    chosen: Object.fromEntries(entries),
    swarm: values.swarm,
    limits: allLimits.find((one) => one === values.limits) ?? refuse(`--limits is one of ${allLimits.join(', ')}`),
    keepsGoing: values['keep-going'],
    workers: Number(values.workers),
    mutation: values.mutate,
  };
}

function refuse(message: string): never {
  throw new Error(message);
}
