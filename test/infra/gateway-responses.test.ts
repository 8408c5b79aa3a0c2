import { describe, expect, it } from 'vitest';

import { errorStatus, unavailable } from '../../lib/errors.ts';
import { resourcesOf, templateOf } from './template.ts';

interface GatewayResponseProperties {
  readonly ResponseType: string;
  readonly StatusCode?: string;
  readonly ResponseParameters: Record<string, string>;
  readonly ResponseTemplates: Record<string, string>;
}

interface ErrorBody {
  readonly ExceptionClass: string;
  readonly ExceptionMessage: string;
}

const responses = resourcesOf<GatewayResponseProperties>(templateOf(), 'AWS::ApiGateway::GatewayResponse').map(
  ([, { Properties }]) => ({
    type: Properties.ResponseType,
    status: Properties.StatusCode,
    headers: Properties.ResponseParameters,
    body: JSON.parse(Properties.ResponseTemplates['application/json'] ?? '') as ErrorBody,
  }),
);

describe('errors that the gateway answers itself', () => {
  it.each(responses)('$type has the shape of all errors', ({ headers, body }) => {
    expect(headers).toMatchObject({
      'gatewayresponse.header.Content-Type': "'application/octet-stream'",
      'gatewayresponse.header.ExceptionClass': `'${body.ExceptionClass}'`,
      'gatewayresponse.header.ExceptionMessage': `'${body.ExceptionMessage}'`,
    });
    expect(Object.keys(errorStatus)).toContain(body.ExceptionClass);
    // API Gateway ends a constant at the next quote; Rucio's header is limited to 125 characters.
    expect(body.ExceptionMessage).toMatch(/^[^'$]{1,125}$/);
  });

  it.each([
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'NotFound'],
    ['RESOURCE_NOT_FOUND', '404', 'NotFound'],
    ['REQUEST_TOO_LARGE', '413', 'PayloadTooLarge'],
    ['INTEGRATION_TIMEOUT', undefined, 'RucioException'],
    ['DEFAULT_4XX', undefined, 'RucioException'],
    ['DEFAULT_5XX', undefined, 'RucioException'],
  ])('%s is %s %s', (type, status, name) => {
    const response = responses.find((candidate) => candidate.type === type);
    expect(response?.status).toBe(status);
    expect(response?.body.ExceptionClass).toBe(name);
  });

  it('can be read by web pages of the allowed origins', () => {
    const originOf = (corsOrigins: string) =>
      new Set(
        resourcesOf<GatewayResponseProperties>(templateOf({ corsOrigins }), 'AWS::ApiGateway::GatewayResponse').map(
          ([, { Properties }]) => Properties.ResponseParameters['gatewayresponse.header.Access-Control-Allow-Origin'],
        ),
      );
    expect(originOf('')).toEqual(new Set([undefined]));
    expect(originOf('https://ui.example.org')).toEqual(new Set(["'https://ui.example.org'"]));
    expect(originOf('https://ui.example.org http://localhost:3000')).toEqual(new Set(["'*'"]));
  });

  it.each(['THROTTLED', 'INTEGRATION_FAILURE'])(
    '%s is the 503 that a function answers, which the official client retries',
    (wanted) => {
      const { status, name, message, headers } = unavailable();
      expect(responses.find(({ type }) => type === wanted)).toMatchObject({
        status: String(status),
        headers: { 'gatewayresponse.header.Retry-After': `'${headers['Retry-After']}'` },
        body: { ExceptionClass: name, ExceptionMessage: message },
      });
    },
  );
});
