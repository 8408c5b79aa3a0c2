import { CfnOutput } from 'aws-cdk-lib';
import { BasePathMapping, DomainName, EndpointType, type MTLSConfig, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSetGroup } from 'aws-cdk-lib/aws-route53';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

import type { Config } from './config.ts';
import type { DappleApi } from './rest-api.ts';

/**
 * The custom domain names of the API: one for everybody, and one with mutual TLS. The latter needs a name of its own
 * because the gateway asks for client certificates by name and not by path.
 */
export class DomainNames extends Construct {
  readonly #api: DappleApi;
  readonly #config: Config;

  constructor(scope: Construct, id: string, { api, config }: { api: DappleApi; config: Config }) {
    super(scope, id);
    this.#api = api;
    this.#config = config;
    const { domainName, mtlsDomainName, certificateArn, mtlsCertificateArn, truststoreUri } = config;
    if (domainName !== '') this.#add('Everybody', domainName, certificateArn);
    if (mtlsDomainName !== '') {
      const { host, pathname } = new URL(truststoreUri);
      const bucket = Bucket.fromBucketName(this, 'Truststore', host);
      this.#add('Certificates', mtlsDomainName, mtlsCertificateArn || certificateArn, {
        bucket,
        key: decodeURIComponent(pathname.slice(1)),
      });
    }
  }

  #add(id: string, domainName: string, certificateArn: string, mtls?: MTLSConfig): void {
    const domain = new DomainName(this, id, {
      domainName,
      certificate: Certificate.fromCertificateArn(this, `${id}Certificate`, certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      ...(mtls === undefined ? {} : { mtls }),
    });
    new BasePathMapping(domain, 'Mapping', {
      domainName: domain,
      restApi: this.#api,
      stage: this.#api.deploymentStage,
      ...(this.#config.basePath === '' ? {} : { basePath: this.#config.basePath.slice(1) }),
    });
    const target = domain.domainNameAliasDomainName;
    if (this.#config.hostedZoneId === '') {
      new CfnOutput(domain, 'Target', { value: target, description: `Target for a CNAME record of ${domainName}` });
      return;
    }
    new CfnRecordSetGroup(domain, 'Records', {
      hostedZoneId: this.#config.hostedZoneId,
      recordSets: ['A', 'AAAA'].map((type) => ({
        name: domainName,
        type,
        aliasTarget: { dnsName: target, hostedZoneId: domain.domainNameAliasHostedZoneId },
      })),
    });
  }
}
