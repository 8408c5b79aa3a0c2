import { perUse } from './price-list.ts';

/** The memory of the functions that answer requests, in GB (infra/api-function.ts). */
export const apiMemoryGb = 1;

/** The processors of a function with one GB: AWS gives a whole one at 1,769 MB. */
const processorsPerGb = 1_024 / 1_769;

/** The time of a wave of requests to the table, in milliseconds: single-digit, says AWS. */
export const waveMs = 5;

/** The processor time of what every request needs beside its operation, in milliseconds: event, token, permission, answer. */
export const edgeMs = 0.4;

/** Usage of an operation. */
export interface Use {
  readonly rru: number;
  readonly wru: number;
  /** Waves of requests to the table, each of which waits for the one before. */
  readonly waves: number;
  /** Processor time of the operation in milliseconds. */
  readonly cpuMs: number;
}

/** The price of an operation in USD, by what is billed. */
export interface Price {
  readonly table: number;
  readonly lambda: number;
  readonly gateway: number;
}

/** The time for which Lambda bills a request, in milliseconds. */
export function billedMs({ waves, cpuMs }: Pick<Use, 'waves' | 'cpuMs'>): number {
  return Math.ceil((cpuMs + edgeMs) / (apiMemoryGb * processorsPerGb) + waves * waveMs);
}

/** The price of a request that carries out an operation. */
export function priceOf(use: Use): Price {
  return {
    table: use.rru * perUse.readUnit + use.wru * perUse.writeUnit,
    lambda: perUse.invocation + (billedMs(use) / 1_000) * apiMemoryGb * perUse.gigabyteSecond,
    gateway: perUse.gatewayRequest,
  };
}

/** The sum of a price. */
export const totalOf = ({ table, lambda, gateway }: Price): number => table + lambda + gateway;
