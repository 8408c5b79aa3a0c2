import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';

import { type Kind, options, type Options } from './options.ts';
import { type Stated, statedOptions } from './stated-options.ts';

/** Everything that differs between two deployments: the options, and values derived from them. */
export interface Config extends Options {
  /** The time limits of requests, for the gateway and for the function, by the way in which the answer is sent. */
  readonly requestTimeouts: Readonly<Record<Options['responseMode'], Duration>>;
  /** Whether table and stack are protected against deletion. */
  readonly protectData: boolean;
  /**
   * Policy for keys, queues and logs when the stack is deleted. Resources of a failed first deployment are always
   * deleted.
   */
  readonly removalPolicy: RemovalPolicy;
  readonly logRetention: RetentionDays;
  /** The options that are not left to their presets. */
  readonly stated: Stated;
}

const requestTimeouts = {
  // The longest answer, 200 MB, takes 97 s at the platform's 2 MB/s. The gateway closes a silent stream after 5 min.
  stream: Duration.minutes(5),
  buffer: Duration.seconds(29),
} as const;

/** Options that have no effect without another one. */
const companions: readonly (readonly [option: keyof Options, needs: keyof Options])[] = [
  ['domainName', 'certificateArn'],
  ['truststoreUri', 'mtlsDomainName'],
  ['mtlsDomainName', 'truststoreUri'],
  ['restoredTable', 'restoredTableStreamArn'],
  ['restoredTableStreamArn', 'restoredTable'],
];

/**
 * Reads the options of the context.
 *
 * @throws Error that names an option: unknown, with an invalid value, or without an option that it needs.
 */
export function readConfig(node: Node): Config {
  requireKnownOptions(node);
  const kind = readKind(node);
  const values = Object.keys(options).map((name) => [name, read(node, name as keyof Options, kind)]);
  const config = Object.fromEntries(values) as Options;
  checkTogether(config);
  return {
    ...config,
    requestTimeouts,
    protectData: kind === 'prod',
    removalPolicy: kind === 'prod' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    logRetention: config.logDays,
    stated: statedOptions(node),
  };
}

/** The kind of the stage. A stage that is not named `dev` or `prod` must say whether its data is retained. */
function readKind(node: Node): Kind {
  const stage = String(read(node, 'stage', 'dev'));
  const isKind = stage === 'dev' || stage === 'prod';
  if (!isKind && node.tryGetContext('kind') === undefined) {
    throw new Error(`context value stage is ${stage}, so it needs kind as well: dev, or prod to retain its data`);
  }
  return read(node, 'kind', isKind ? stage : 'dev') as Kind;
}

function read(node: Node, name: keyof Options, kind: Kind): unknown {
  const { preset, form, parse } = options[name];
  const text = String(node.tryGetContext(name) ?? preset[kind]);
  const value = parse(text);
  if (value === undefined) throw new Error(`context value ${name} is ${text}, not ${form}`);
  return value;
}

/**
 * Without this check a misspelt option would have no effect. The CDK's own values contain a mark such as `:` or `@`.
 */
function requireKnownOptions(node: Node): void {
  const unknown = Object.keys(node.getAllContext() as object).find(
    (name) => /^\w+$/.test(name) && !Object.hasOwn(options, name),
  );
  if (unknown !== undefined) {
    throw new Error(`context value ${unknown} is not known; there are ${Object.keys(options).join(', ')}`);
  }
}

function checkTogether(config: Options): void {
  for (const [option, needed] of companions) {
    if (config[option] !== '' && config[needed] === '') {
      throw new Error(`context value ${option} needs ${needed} as well`);
    }
  }
  const {
    basePath,
    domainName,
    mtlsDomainName,
    certificateArn,
    mtlsCertificateArn,
    hostedZoneId,
    webAcl,
    webAclArn,
    requestMetrics,
    logLevel,
    movers,
    streams,
  } = config;
  if (streams === 'on' && movers !== 'on') throw new Error('context value streams=on needs movers=on as well');
  if (mtlsDomainName !== '' && certificateArn === '' && mtlsCertificateArn === '') {
    throw new Error('context value mtlsDomainName needs mtlsCertificateArn, or certificateArn, as well');
  }
  if (basePath !== '' && domainName === '' && mtlsDomainName === '') {
    throw new Error('context value basePath needs domainName or mtlsDomainName as well');
  }
  if (hostedZoneId !== '' && domainName === '' && mtlsDomainName === '') {
    throw new Error('context value hostedZoneId needs domainName or mtlsDomainName as well');
  }
  if (domainName !== '' && domainName === mtlsDomainName) {
    throw new Error(
      'context values domainName and mtlsDomainName are the same; clients without a certificate need a name of their own',
    );
  }
  if (requestMetrics === 'on' && logLevel !== 'info') {
    throw new Error(
      'context value requestMetrics needs logLevel=info: CloudWatch makes the metrics of records of requests',
    );
  }
  if (webAcl === 'on' && webAclArn !== '') throw new Error('context values webAcl=on and webAclArn exclude each other');
}
