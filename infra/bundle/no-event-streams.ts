/**
 * Stands for `@smithy/core/event-streams` in the bundles, which the SDK loads when an operation answers with an event
 * stream. None of those that Dapple calls does.
 */
export function EventStreamSerde(): never {
  throw new Error('event streams of AWS services are left out of the bundle (infra/bundling.ts)');
}
