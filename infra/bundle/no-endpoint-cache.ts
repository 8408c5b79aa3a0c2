/**
 * Stands for `@aws-sdk/endpoint-cache` in the bundles. DynamoDB's clients ask it before each request for an endpoint that
 * discovery has found; discovery is off unless it is switched on, so that there never is one.
 */
export class EndpointCache {
  // oxlint-disable-next-line class-methods-use-this
  getEndpoint(): undefined {
    return undefined;
  }
}
