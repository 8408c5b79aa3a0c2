import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

import type { Config } from './config.ts';
import type { DappleApi } from './rest-api.ts';

/**
 * Rules of AWS's common set that would refuse what the interface is for; they count instead: bodies of megabytes, long
 * cursors and filters, names and PFNs (URLs, also of bare addresses), clients that do not say who they are.
 */
const counted = [
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'GenericRFI_QUERYARGUMENTS',
  'GenericRFI_URIPATH',
  'NoUserAgent_HEADER',
  'SizeRestrictions_BODY',
  'SizeRestrictions_QUERYSTRING',
  'SizeRestrictions_URIPATH',
];

/** What the gateway lets in: AWS's managed rules and so many requests of one address, or as a web ACL of one's own says. */
export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, { api, config }: { api: DappleApi; config: Config }) {
    super(scope, id);
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: config.webAclArn || this.#create(config.webAclRate),
    });
  }

  #create(limit: number): string {
    const rules: CfnWebACL.RuleProperty[] = [
      {
        ...numbered('requests-of-one-address', 0),
        action: { block: {} },
        statement: { rateBasedStatement: { limit, aggregateKeyType: 'IP', evaluationWindowSec: 300 } },
      },
      managed('AWSManagedRulesAmazonIpReputationList', 1),
      managed('AWSManagedRulesKnownBadInputsRuleSet', 2),
      managed('AWSManagedRulesCommonRuleSet', 3, counted),
    ];
    const acl = new CfnWebACL(this, 'Acl', {
      description: 'What the gateway of Dapple lets in',
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visible('dapple'),
      rules,
    });
    return acl.attrArn;
  }
}

function managed(name: string, priority: number, countedRules: readonly string[] = []): CfnWebACL.RuleProperty {
  return {
    ...numbered(name, priority),
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ...(countedRules.length === 0
          ? {}
          : { ruleActionOverrides: countedRules.map((rule) => ({ name: rule, actionToUse: { count: {} } })) }),
      },
    },
  };
}

const numbered = (name: string, priority: number) => ({ name, priority, visibilityConfig: visible(name) });

const visible = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
});
