/**
 * Replaces `@aws-sdk/endpoint-cache` in the bundles. DynamoDB's clients look there for a discovered endpoint before
 * each request. Endpoint discovery is off by default, so the cache would always be empty.
 */
export class EndpointCache {
  // oxlint-disable-next-line class-methods-use-this
  getEndpoint(): undefined {
    return undefined;
  }
}
