import { Logger } from '@aws-lambda-powertools/logger';

/** The structured log. One rich record per request; headers, bodies and tokens are never handed to it. */
export const log = new Logger({ serviceName: 'dapple' });
