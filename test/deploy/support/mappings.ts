import type { DynamoDBBatchResponse } from 'aws-lambda';

import { passesFilters, type StreamFilter } from '../../../infra/stream-filter.ts';
import { openHttpTransport } from '../../../local/engine/src/http-transport.ts';
import { startStreamReader } from '../../../local/stream-reader.ts';
import type { Aws } from './aws.ts';

/** An event source mapping, as Lambda describes it. */
interface Mapping {
  readonly UUID: string;
  readonly FunctionArn: string;
  readonly EventSourceArn: string;
  readonly FunctionResponseTypes: readonly string[];
  readonly FilterCriteria: { readonly Filters: readonly { readonly Pattern: string }[] };
}

/**
 * Runs the deployed event source mappings on the stream of the engine, since the emulator reads only streams of its own tables and
 * ignores failures that a function reports. Filters and functions are those of the stack.
 *
 * @returns how many mappings there are, and how to stop.
 */
export async function followMappings(
  aws: Aws,
  { endpoint, tableName, say }: { endpoint: string; tableName: string; say: (line: string) => void },
): Promise<{ readonly count: number; stop(): Promise<void> }> {
  const { EventSourceMappings: mappings } = await aws.rest<{ EventSourceMappings: readonly Mapping[] }>(
    'lambda',
    'GET',
    '/2015-03-31/event-source-mappings/',
  );
  const transport = openHttpTransport(endpoint);
  const readers = mappings.map((mapping) => {
    if (!mapping.EventSourceArn.includes(`:table/${tableName}/stream/`)) {
      throw new Error(`${mapping.FunctionArn} follows ${mapping.EventSourceArn}, not ${tableName}`);
    }
    if (!mapping.FunctionResponseTypes.includes('ReportBatchItemFailures')) {
      throw new Error(`${mapping.FunctionArn} does not report which records failed`);
    }
    const filters = mapping.FilterCriteria.Filters.map(({ Pattern }) => JSON.parse(Pattern) as StreamFilter);
    return startStreamReader({
      transport,
      tableName,
      reader: mapping.UUID,
      say,
      handler: async ({ Records }) => {
        const passed = Records.filter((record) => passesFilters(record, filters));
        if (passed.length === 0) return { batchItemFailures: [] };
        return (await aws.invoke(mapping.FunctionArn, { Records: passed })) as DynamoDBBatchResponse;
      },
    });
  });
  return {
    count: mappings.length,
    stop: async () => {
      await Promise.all(readers.map((reader) => reader.stop()));
      transport.close();
    },
  };
}
