/**
 * Replaces `@smithy/core/event-streams` in the bundles. The SDK loads it for operations that answer an event stream;
 * Dapple calls none.
 */
export function EventStreamSerde(): never {
  throw new Error('event streams of AWS services are left out of the bundle (infra/bundling.ts)');
}
