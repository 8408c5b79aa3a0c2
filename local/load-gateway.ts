import type { RequestListener } from 'node:http';

import { groups as allGroups } from '../lib/contract/index.ts';
import type { Group } from '../lib/contract/route.ts';
import type { ReadCaller } from './caller.ts';
import { createGateway, type GatewayOptions } from './gateway.ts';
import type { Handler } from './lambda-runtime.ts';
import { loadFunction, type RunFunction, runHere } from './run-function.ts';

/**
 * The parts of the gateway: by default the contract's groups and the functions of the same names; tests replace them.
 */
export interface GatewayParts {
  readonly groups?: readonly Group[];
  /** Whether the page for browsers is served; the default. */
  readonly browser?: boolean;
  readonly load?: (group: string) => Promise<Handler>;
  /** Where functions run; by default in this thread. */
  readonly spread?: (here: RunFunction) => RunFunction;
  /** Tells who sent a request; by default the connection does. */
  readonly callerOf?: ReadCaller;
  /** Refuses requests before their functions run. */
  readonly refuse?: GatewayOptions['refuse'];
}

/** Imports every function. A function that cannot be imported is reported and answers 502; the others work. */
export async function loadGateway(
  {
    browser = true,
    groups = allGroups.filter(({ name }) => browser || name !== 'browser'),
    load = loadFunction,
    spread = (here) => here,
    callerOf,
    refuse,
  }: GatewayParts,
  say: (line: string) => void,
): Promise<RequestListener> {
  const loads = await Promise.allSettled(groups.map(async ({ name }) => load(name)));
  const handlers = new Map<string, Handler>();
  for (const [i, { name }] of groups.entries()) {
    const outcome = loads[i];
    if (outcome?.status === 'fulfilled') handlers.set(name, outcome.value);
    else say(`functions/${name}.ts cannot be loaded: ${outcome?.reason}`);
  }
  const here = runHere(async (group) => handlers.get(group) ?? load(group));
  const report = (message: string) => console.error(message);
  return createGateway({ groups, run: spread(here), report, ...(callerOf && { callerOf }), ...(refuse && { refuse }) });
}
