import type { TestProject } from 'vitest/node';

/**
 * With `ENGINE=dynamodb-local` all servers of the run share AWS's DynamoDB Local, each with a table of its own; otherwise
 * each has the embedded engine.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const wanted = process.env['ENGINE'] || 'embedded';
  if (wanted === 'embedded') return undefined;
  if (wanted !== 'dynamodb-local') throw new Error(`ENGINE is embedded or dynamodb-local, not '${wanted}'`);
  const { startDynamoDbLocal } = await import('../../local/engine/judge/dynamodb-local/start.ts');
  const engine = await startDynamoDbLocal({ busy: true });
  project.provide('givenEngine', engine.endpoint);
  return () => engine.stop();
}
