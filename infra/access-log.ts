import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

/**
 * One JSON record per request, without text written by callers: header and query contain tokens and cursors, and the
 * path may contain the value of an option. The function's own record has the path and the same request id.
 */
export const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    extendedRequestId: '$context.extendedRequestId',
    xrayTraceId: '$context.xrayTraceId',
    requestTime: '$context.requestTime',
    sourceIp: '$context.identity.sourceIp',
    httpMethod: '$context.httpMethod',
    resourcePath: '$context.resourcePath',
    status: '$context.status',
    responseLength: '$context.responseLength',
    responseLatency: '$context.responseLatency',
    responseTransferMode: '$context.integration.responseTransferMode',
    timeToAllHeaders: '$context.integration.timeToAllHeaders',
    integrationStatus: '$context.integration.status',
    integrationLatency: '$context.integration.latency',
    integrationError: '$context.integration.error',
    errorType: '$context.error.responseType',
    error: '$context.error.message',
  }),
);
