import type { APIGatewayProxyEvent } from 'aws-lambda';

import { isPageName, type PageName } from '../lib/contract/page-files.ts';
import type { AnswerSink } from './answer-sink.ts';
import { type Handler, invoke, isStreaming } from './lambda-runtime.ts';
import { locateModule } from './locate.ts';
import { lambdaContext } from './proxy-event.ts';

/**
 * Runs the function of an endpoint group for a request.
 *
 * @param group The name of the group.
 * @returns The failure of the function, for the host to report, or undefined.
 * @throws Error when the function cannot be loaded.
 */
export type RunFunction = (group: string, event: APIGatewayProxyEvent, sink: AnswerSink) => Promise<unknown>;

/** API Gateway's time limits, of a buffered and of a streamed answer. */
const timeoutsMs = { buffered: 29_000, streamed: 15 * 60_000 };

/** Runs functions in this thread. */
export function runHere(load: (group: string) => Promise<Handler>): RunFunction {
  return async (group, event, sink) => {
    const handler = await load(group);
    const context = lambdaContext(group, isStreaming(handler) ? timeoutsMs.streamed : timeoutsMs.buffered);
    return invoke(handler, event, context, sink);
  };
}

/** Lets the function of a page serve a build of the present sources. */
async function useSources(name: PageName): Promise<void> {
  const [{ setPageSource }, { loadPage }] = await Promise.all([
    import('../lib/operations/browser/page-files.ts'),
    import('./page-cache.ts'),
  ]);
  setPageSource(name, () => loadPage(name));
}

/** Lets the function of the OpenAPI document make it of the present contract, when it is asked for. */
async function useContract(): Promise<void> {
  const { setDocumentSource } = await import('../lib/operations/browser/openapi-document.ts');
  setDocumentSource(async () => (await import('../lib/openapi/document.ts')).makeDocument());
}

/** Imports the function of an endpoint group. */
export async function loadFunction(group: string): Promise<Handler> {
  const module = (await import(locateModule(`functions/${group}`).href)) as { handler?: Handler };
  if (typeof module.handler !== 'function') throw new Error(`functions/${group}.ts exports no handler`);
  if (isPageName(group)) await useSources(group);
  if (group === 'openapi') await useContract();
  return module.handler;
}
