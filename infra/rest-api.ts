import { Stack } from 'aws-cdk-lib';
import {
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

import { acceptFindings } from './accept-findings.ts';
import { accessLogFormat } from './access-log.ts';
import type { ApiFunction } from './api-function.ts';
import type { Config } from './config.ts';
import { addGatewayResponses } from './gateway-responses.ts';

const logWriterPolicy = 'arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs';

/**
 * The REST API with two resources per prefix and one for all other paths; the functions do the routing.
 *
 * It declares no binary media types: every request body then reaches the function as text, even without a Content-Type.
 * A streamed answer passes as bytes in any case.
 */
export class DappleApi extends RestApi {
  constructor(scope: Construct, id: string, config: Config) {
    const accessLog = new LogGroup(scope, `${id}AccessLog`, {
      retention: config.logRetention,
      removalPolicy: config.removalPolicy,
    });
    super(scope, id, {
      restApiName: Stack.of(scope).stackName,
      description: 'The Rucio REST interface, served by Dapple',
      // An edge-optimised endpoint closes a stream that is silent for 30 s, a regional one after 5 min.
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      // The account-wide role that the gateway needs to write access logs.
      cloudWatchRole: config.gatewayLogging === 'own',
      deployOptions: {
        stageName: config.stage,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        loggingLevel: MethodLoggingLevel.OFF,
        // The metrics by method cost 0.30 USD a month each; alarms and dashboard use those of the stage, which are free.
        metricsEnabled: false,
        tracingEnabled: config.tracing === 'on',
        throttlingRateLimit: config.throttleRate,
        throttlingBurstLimit: config.throttleBurst,
      },
    });
    // The stack has its own output for the URL, with a readable name.
    this.node.tryRemoveChild('Endpoint');
    addGatewayResponses(this, config);
    acceptFindings(this, {
      APIG2: 'The functions validate every request against the contract and answer in the words of Rucio.',
      APIG3: 'A web ACL is an option (webAcl, webAclArn); without it the stage throttles, the functions check tokens.',
      APIG4: 'The functions check the tokens of Rucio; /ping and /auth are open by definition.',
      COG4: 'The functions check the tokens of Rucio; its clients cannot log in at Cognito.',
      APIG6: 'Execution logs hold request headers, in which Rucio sends passwords and tokens. Access logs are on.',
      [`IAM4[Policy::${logWriterPolicy}]`]:
        'The account-wide role takes the policy that AWS keeps for this very purpose.',
    });
  }

  /** Routes everything at and below the prefixes to the function. */
  serve(prefixes: readonly string[], served: ApiFunction): void {
    const integration = integrate(served);
    for (const prefix of prefixes) {
      const resource = this.root.resourceForPath(prefix);
      resource.addMethod('ANY', integration);
      if (prefix !== '/') resource.addResource('{proxy+}').addMethod('ANY', integration);
    }
  }

  /**
   * Routes what no prefix matches to the function. The gateway compares byte by byte: `//ping` is such a path, and the function
   * redirects it.
   */
  serveOthers(served: ApiFunction): void {
    this.root.addResource('{proxy+}').addMethod('ANY', integrate(served));
  }
}

function integrate({ lambda, responseMode, timeout }: ApiFunction): LambdaIntegration {
  return new LambdaIntegration(lambda, {
    responseTransferMode: responseMode === 'stream' ? ResponseTransferMode.STREAM : ResponseTransferMode.BUFFERED,
    timeout,
    // One permission for the whole API instead of one for each method.
    scopePermissionToMethod: false,
  });
}
