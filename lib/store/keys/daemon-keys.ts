import { hash } from 'node:crypto';

import { join, type Key } from './key-parts.ts';

/** Identity of a transfer limit. */
export interface TransferLimitKey {
  readonly rseExpression: string;
  readonly activity: string;
  readonly direction: 'SOURCE' | 'DESTINATION';
}

/** Identity of a heartbeat. */
export interface HeartbeatKey {
  readonly executable: string;
  readonly hostname: string;
  readonly pid: number;
}

/** The texts are attributes: they may hold any character, and be longer than a key. */
const hashOf = (...texts: readonly string[]) => hash('sha256', JSON.stringify(texts));

/** The keys of what daemons outside Dapple share through it. All items of a kind are in one partition. */
export const daemonKeys = {
  transferLimits: 'TRANSFERLIMITS',
  transferLimit: ({ rseExpression, activity, direction }: TransferLimitKey): Key => ({
    PK: daemonKeys.transferLimits,
    SK: join(hashOf(rseExpression, activity, direction)),
  }),
  heartbeats: 'HEARTBEATS',
  heartbeat: ({ executable, hostname, pid }: HeartbeatKey): Key => ({
    PK: daemonKeys.heartbeats,
    SK: join(hashOf(executable, hostname, String(pid))),
  }),
} as const;
