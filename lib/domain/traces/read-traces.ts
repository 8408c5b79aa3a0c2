import type { DidKey } from '../../contract/schemas/did.ts';
import { isValidDid } from '../values/did-names.ts';

/** Access that a trace reports: a file on RSEs, or a dataset, perhaps on RSEs. */
export interface Access {
  readonly kind: 'file' | 'dataset';
  readonly did: DidKey;
  /** Names, which may be those of no RSE. */
  readonly rses: readonly string[];
}

/** The most traces of a request that are read; further ones are ignored. */
const maxTraces = 100;

/** The most RSEs of a trace that are read; further ones are ignored. */
const maxRses = 10;

/** The client states of an access that succeeded. Only these count as a use of the file. */
const succeeded: ReadonlySet<unknown> = new Set([undefined, null, 'DONE', 'FOUND_ROOT', 'ALREADY_DONE']);

/**
 * Accesses that the traces of a request report, each once: downloads, accesses of pilots, and touches, as Rucio's tracer reads them.
 * Traces of another form are ignored, since anybody may send them.
 */
export function readTraces(body: unknown): Access[] {
  const traces = Array.isArray(body) ? body : [body];
  const accesses = traces.slice(0, maxTraces).flatMap(readTrace);
  return [...new Map(accesses.map((access) => [JSON.stringify(access), access])).values()];
}

function readTrace(trace: unknown): Access[] {
  if (typeof trace !== 'object' || trace === null) return [];
  const { eventType, clientState, scope, filename, name, datasetScope, dataset, remoteSite } = trace as Trace;
  if (typeof eventType !== 'string' || !isUse(eventType) || !succeeded.has(clientState)) return [];
  const site = typeof remoteSite === 'string' ? remoteSite : '';
  const rses = [...new Set(site.split(',', maxRses).map((rse) => rse.trim()))].filter((rse) => rse !== '');
  if (eventType === 'touch' && isText(datasetScope) && datasetScope !== '')
    return toAccess('dataset', datasetScope, dataset, rses);
  return rses.length === 0 ? [] : toAccess('file', scope, filename ?? name, rses);
}

type Trace = Readonly<
  Partial<
    Record<
      'eventType' | 'clientState' | 'scope' | 'filename' | 'name' | 'datasetScope' | 'dataset' | 'remoteSite',
      unknown
    >
  >
>;

function isUse(eventType: string): boolean {
  const isAccess = /^(?:get|sm_get)/.test(eventType) || eventType === 'download' || eventType === 'touch';
  return isAccess && !eventType.endsWith('_es');
}

const isText = (value: unknown): value is string => typeof value === 'string';

function toAccess(kind: Access['kind'], scope: unknown, name: unknown, rses: readonly string[]): Access[] {
  if (!isText(scope) || !isText(name) || !isValidDid({ scope, name })) return [];
  return [{ kind, did: { scope, name }, rses }];
}
