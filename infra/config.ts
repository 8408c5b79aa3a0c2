import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';

/** `stream` on AWS; `buffer` where the gateway cannot stream, as in emulators. */
type ResponseMode = 'stream' | 'buffer';

/** What differs between two deployments of the stack. */
export interface Config {
  readonly stage: string;
  readonly responseMode: ResponseMode;
  /** How long a request may take, for the gateway and for the function alike. */
  readonly requestTimeout: Duration;
  /** Guards the table and the stack against deletion. */
  readonly protectData: boolean;
  /** What becomes of data, keys and logs when the stack goes. */
  readonly removalPolicy: RemovalPolicy;
  readonly logRetention: RetentionDays;
  /** Requests a second that the gateway lets in, so that one stage cannot use up the account's quota. */
  readonly throttle: { readonly rateLimit: number; readonly burstLimit: number };
  /** OpenID issuers whose tokens are accepted, as `OIDC_ISSUERS` in lib/env.ts has them; none by default. */
  readonly oidcIssuers: string;
}

const stages = {
  dev: {
    protectData: false,
    removalPolicy: RemovalPolicy.DESTROY,
    logRetention: RetentionDays.ONE_WEEK,
    throttle: { rateLimit: 500, burstLimit: 500 },
  },
  prod: {
    protectData: true,
    removalPolicy: RemovalPolicy.RETAIN,
    logRetention: RetentionDays.THREE_MONTHS,
    throttle: { rateLimit: 4000, burstLimit: 2000 },
  },
} as const;

const requestTimeouts = {
  // The longest answer, 200 MB, takes 97 s at the 2 MB/s of the platform; the gateway gives up on a silent stream after 5 min.
  stream: Duration.minutes(5),
  buffer: Duration.seconds(29),
} as const;

/** Reads the context values `stage` (`dev`, `prod`), `responseMode` (`stream`, `buffer`) and `oidcIssuers` (none). */
export function readConfig(node: Node): Config {
  const stage = oneOf(stages, node, 'stage', 'dev');
  const responseMode = oneOf(requestTimeouts, node, 'responseMode', 'stream');
  const oidcIssuers = String(node.tryGetContext('oidcIssuers') ?? '');
  return { stage, responseMode, requestTimeout: requestTimeouts[responseMode], ...stages[stage], oidcIssuers };
}

function oneOf<T extends object>(choices: T, node: Node, key: string, preset: keyof T & string): keyof T & string {
  const value: unknown = node.tryGetContext(key) ?? preset;
  const choice = Object.keys(choices).find((name) => name === value);
  if (choice === undefined) {
    throw new Error(`context value ${key} is ${String(value)}, not one of ${Object.keys(choices).join(', ')}`);
  }
  return choice as keyof T & string;
}
