import type { RequestListener } from 'node:http';

import { groups as allGroups } from '../../lib/contract/index.ts';
import type { Group } from '../../lib/contract/route.ts';
import { createGateway } from './gateway.ts';
import type { Handler } from './lambda-runtime.ts';

/**
 * The parts of the gateway: by default the contract's groups and the functions of the same names; tests replace them.
 */
export interface GatewayParts {
  readonly groups?: readonly Group[];
  readonly load?: (group: Group) => Promise<Handler>;
}

/** Imports every function. A function that cannot be imported is reported and answers 502; the others work. */
export async function loadGateway(
  { groups = allGroups, load = loadFunction }: GatewayParts,
  say: (line: string) => void,
): Promise<RequestListener> {
  const loads = await Promise.allSettled(groups.map(load));
  const handlers = new Map<Group, Handler>();
  for (const [i, group] of groups.entries()) {
    const outcome = loads[i];
    if (outcome?.status === 'fulfilled') handlers.set(group, outcome.value);
    else say(`functions/${group.name}.ts cannot be loaded: ${outcome?.reason}`);
  }
  return createGateway({
    groups,
    load: async (group) => handlers.get(group) ?? load(group),
    report: (message) => console.error(message),
  });
}

async function loadFunction({ name }: Group): Promise<Handler> {
  const module = (await import(new URL(`../../functions/${name}.ts`, import.meta.url).href)) as { handler?: Handler };
  if (typeof module.handler !== 'function') throw new Error(`functions/${name}.ts exports no handler`);
  return module.handler;
}
