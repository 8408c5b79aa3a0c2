import { existsSync } from 'node:fs';

import { RetentionDays } from 'aws-cdk-lib/aws-logs';

import { defaultPolicy } from '../lib/policy/read-policy.ts';
import { fileOfPolicy } from './policy-file.ts';

/** The kinds of stages; the presets of options depend on them. */
export type Kind = 'dev' | 'prod';

/** One context value that the stack reads (`-c name=value`, or `context` in cdk.json). */
export interface Option<T = unknown> {
  /** The form of a value, as it follows "is not". */
  readonly form: string;
  /** The default value by stage; empty: none. */
  readonly preset: Readonly<Record<Kind, string>>;
  /** The purpose, for the table in docs/how-to/deploy.md. */
  readonly purpose: string;
  /** Parses a text; undefined if it does not have the form. */
  readonly parse: (text: string) => T | undefined;
}

/** Every option of the stack. */
export const options = {
  stage: {
    form: 'a name of small letters, digits and hyphens, 20 at most',
    preset: { dev: 'dev', prod: 'dev' },
    purpose: 'name of the deployment: the stack `dapple-<stage>`; an account and region may have several',
    parse: (value: string): string | undefined =>
      /^[a-z](-?[a-z\d]){0,19}$/.test(value) && value.length <= 20 ? value : undefined,
  },
  kind: {
    ...choice(
      ['dev', 'prod'],
      'dev',
      'defaults of other options; `prod` retains its data and is protected from deletion; stages of other names must set it',
    ),
    preset: { dev: 'dev', prod: 'prod' },
  },
  responseMode: choice(['stream', 'buffer'], 'stream', '`buffer` for a gateway that cannot stream, as in emulators'),
  emptyStreams: choice(
    ['fill', 'leave'],
    'fill',
    '`fill`: streamed answers without a body get a line feed, and none is 304; some accounts are reported to hang otherwise',
  ),
  compression: choice(['on', 'off'], 'on', 'streamed answers are compressed for clients that accept gzip'),
  streamMark: choice(
    ['off', 'on'],
    'off',
    "`on`: streamed answers carry the media type of AWS's `HttpResponseStream.from`, reported to break HTTP/2",
  ),
  oidcIssuers: texts(
    'OpenID issuers, `<url>` or `<url>#<audience>`, separated by spaces',
    /^https:\/\/\S+$/,
    'the issuers whose tokens Dapple accepts',
  ),
  corsOrigins: texts(
    'origins such as `https://ui.example.org`, separated by spaces',
    /^https?:\/\/[\w.-]+(?::\d+)?$/,
    'the origins whose web pages may call the API (CORS)',
  ),
  policy: {
    form: 'the name of a policy, or the path of the file of one',
    preset: { dev: defaultPolicy, prod: defaultPolicy },
    purpose: 'names, activities and paths of the experiment ([how to write a policy](your-policy.md))',
    parse: (value: string): string | undefined => (existsSync(fileOfPolicy(value)) ? value : undefined),
  },
  browser: choice(['on', 'off'], 'on', '`off`: the page for browsers is not deployed, and `/` answers 404'),
  throttleRate: count(1, 1_000_000, { dev: 500, prod: 4000 }, 'requests per second that the gateway admits'),
  throttleBurst: count(1, 1_000_000, { dev: 500, prod: 2000 }, 'requests that the gateway admits in a burst'),
  eventReaders: count(
    1,
    10_000,
    { dev: 5, prod: 100 },
    'concurrent readers of `GET /events`, half of them of one account; each occupies one function',
  ),
  reservedConcurrency: choice(
    ['off', 'on'],
    'off',
    '`on` reserves concurrency for consumers, schedules and readers of events; needs a quota (see below)',
  ),
  tableReadLimit: count(
    0,
    40_000_000,
    { dev: 0, prod: 0 },
    'maximum read units per second of the table, and of each of its indexes; 0: the quota of the account',
  ),
  tableWriteLimit: count(0, 40_000_000, { dev: 0, prod: 0 }, 'the same for write units'),
  warmWrites: count(
    0,
    40_000,
    { dev: 0, prod: 0 },
    'write units per second that the table and its indexes serve from the start, and three times as many read units, for a first import (costs once); 0: 4,000',
  ),
  reaper: choice(
    ['off', 'on'],
    'off',
    '`on` deletes files from storage, on the RSEs for which the reaper is switched on ([how to free space](free-space.md))',
  ),
  movers: choice(
    ['off', 'on'],
    'off',
    '`on` lets storages copy files, to the RSEs with the attribute `mover` ([how data is copied](move-data.md))',
  ),
  streams: choice(
    ['off', 'on'],
    'off',
    '`on`, with `movers=on`: a function copies files of some GB between S3 and WebDAV, to the RSEs with `mover=stream` ([how](storages-of-several-kinds.md#deployed))',
  ),
  logDays: {
    form: 'a number of days that CloudWatch offers, such as 7, 30, 90, 365',
    preset: { dev: '7', prod: '90' },
    purpose: 'retention of the logs, in days',
    parse: (value: string): RetentionDays | undefined =>
      Object.values(RetentionDays).find(
        (days): days is RetentionDays =>
          typeof days === 'number' && days !== RetentionDays.INFINITE && String(days) === value,
      ),
  },
  logLevel: choice(
    ['info', 'warn', 'error'],
    'info',
    'the least level of the records of functions; requests that succeed are `info`',
  ),
  tokenKeyDays: count(
    0,
    365,
    { dev: 90, prod: 90 },
    'days between two rotations of the token key; 0: no automatic rotation and no function for it',
  ),
  tableKey: choice(['aws', 'own'], 'aws', '`own`: the table is encrypted with a KMS key of the stack'),
  monitoring: choice(
    ['data', 'all', 'off'],
    'data',
    '`data`: alarms for what would be lost or never done; `all`: every alarm, and a dashboard',
  ),
  tracing: choice(['off', 'on'], 'off', 'X-Ray traces of requests and functions; 5 USD a million'),
  eventBus: choice(
    ['off', 'on'],
    'off',
    '`on`: changes of the catalogue are sent to an event bus of EventBridge too; 1 USD a million',
  ),
  gatewayLogging: choice(
    ['own', 'existing'],
    'own',
    "`existing`: the account's logging role of API Gateway is left alone; without one there are no access logs",
  ),
  requestMetrics: choice(['off', 'on'], 'off', 'metrics by operation: requests, milliseconds, read and write units'),
  alarmEmail: text('an e-mail address', /^[^\s@]+@[^\s@]+$/, 'the address that alarms are sent to'),
  alarmTopicArn: text(
    'the ARN of an SNS topic',
    /^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]+$/,
    'a topic of your own that alarms are sent to; its policy must let CloudWatch publish',
  ),
  tags: texts(
    'tags `<name>=<value>`, separated by spaces',
    /^(?!aws:)[\w.:/@-]{1,128}=[\w.:/@-]{1,256}$/,
    'tags of the stack and all its resources, for the bill by tag',
  ),
  domainName: text(
    'a domain name',
    /^[a-z\d-]+(\.[a-z\d-]+)+$/,
    'custom domain name of the API, in addition to the URL of the gateway',
  ),
  basePath: text(
    'a path of one segment such as `/rucio`',
    /^\/[\w.-]+$/,
    'path of the API at its custom domain names; at the root, the gateway answers `/ping` itself',
  ),
  certificateArn: text(
    'the ARN of a certificate',
    /^arn:[\w-]+:acm:/,
    'the certificate of `domainName`, from the region of the stack',
  ),
  hostedZoneId: text(
    'the id of a Route 53 zone',
    /^Z[A-Z\d]+$/,
    'the zone in which the stack creates the records of the domain names',
  ),
  mtlsDomainName: text(
    'a domain name',
    /^[a-z\d-]+(\.[a-z\d-]+)+$/,
    'second domain name, which requires a client certificate: the `auth_host` for X.509 log-ins',
  ),
  truststoreUri: text(
    'the S3 URI of a PEM file',
    /^s3:\/\/[^/]+\/.+$/,
    'the certificate authorities that `mtlsDomainName` trusts',
  ),
  mtlsCertificateArn: text(
    'the ARN of a certificate',
    /^arn:[\w-]+:acm:/,
    'the certificate of `mtlsDomainName`, if it differs from `certificateArn`',
  ),
  webAcl: choice(['off', 'on'], 'off', "`on`: AWS WAF with AWS's managed rules and a rate limit for each address"),
  webAclRate: count(
    10,
    2_000_000,
    { dev: 30_000, prod: 30_000 },
    'requests that `webAcl=on` admits from one address in five minutes',
  ),
  webAclArn: text(
    'the ARN of a regional web ACL',
    /^arn:[\w-]+:wafv2:.*:regional\/webacl\//,
    'a web ACL of your own, in place of `webAcl=on`',
  ),
  restoredTable: text(
    'the name of a table',
    /^[\w.-]{3,255}$/,
    'the stack uses this table in place of its own, after a restore ([how to restore a table](../operations/restore.md))',
  ),
  restoredTableStreamArn: text(
    'the ARN of a stream',
    /^arn:[\w-]+:dynamodb:.*\/stream\//,
    'the stream of `restoredTable`',
  ),
} satisfies Readonly<Record<string, Option>>;

/** The values of all options. */
export type Options = {
  readonly [Name in keyof typeof options]: NonNullable<ReturnType<(typeof options)[Name]['parse']>>;
};

function choice<const T extends string>(values: readonly T[], preset: T, purpose: string): Option<T> {
  return {
    form: `one of ${values.join(', ')}`,
    preset: { dev: preset, prod: preset },
    purpose,
    parse: (value) => values.find((candidate) => candidate === value),
  };
}

function count(least: number, most: number, preset: Record<Kind, number>, purpose: string): Option<number> {
  return {
    form: `a whole number from ${least} to ${most}`,
    preset: { dev: String(preset.dev), prod: String(preset.prod) },
    purpose,
    parse: (value) => {
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      return number >= least && number <= most ? number : undefined;
    },
  };
}

/** An optional text; empty if absent. */
function text(form: string, pattern: RegExp, purpose: string): Option<string> {
  const preset = { dev: '', prod: '' };
  return { form, preset, purpose, parse: (value) => (value === '' || pattern.test(value) ? value : undefined) };
}

/** Several optional texts, separated by blanks. */
function texts(form: string, pattern: RegExp, purpose: string): Option<string> {
  const parse = (value: string) =>
    value.split(' ').every((part) => part === '' || pattern.test(part)) ? value : undefined;
  return { form, preset: { dev: '', prod: '' }, purpose, parse };
}
