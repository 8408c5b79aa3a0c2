import { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** The stages; the presets of options depend on them. */
export type Stage = 'dev' | 'prod';

/** One context value that the stack reads (`-c name=value`, or `context` in cdk.json). */
export interface Option<T = unknown> {
  /** The form of a value, as it follows "is not". */
  readonly form: string;
  /** The default value by stage; empty: none. */
  readonly preset: Readonly<Record<Stage, string>>;
  /** The purpose, for the table in docs/how-to/deploy.md. */
  readonly purpose: string;
  /** Parses a text; undefined if it does not have the form. */
  readonly parse: (text: string) => T | undefined;
}

/** Every option of the stack. */
export const options = {
  stage: choice(['dev', 'prod'], 'dev', 'presets; `prod` keeps its data and is protected from deletion'),
  responseMode: choice(['stream', 'buffer'], 'stream', '`buffer` where the gateway cannot stream, as in emulators'),
  oidcIssuers: texts(
    'OpenID issuers, `<url>` or `<url>#<audience>`, separated by blanks',
    /^https:\/\/\S+$/,
    'whose tokens are accepted',
  ),
  corsOrigins: texts(
    'origins such as `https://ui.example.org`, separated by blanks',
    /^https?:\/\/[\w.-]+(?::\d+)?$/,
    'whose browsers may call',
  ),
  throttleRate: count(1, 1_000_000, { dev: 500, prod: 4000 }, 'requests a second that the gateway lets in'),
  throttleBurst: count(1, 1_000_000, { dev: 500, prod: 2000 }, 'requests at once that the gateway lets in'),
  eventReaders: count(
    1,
    10_000,
    { dev: 5, prod: 100 },
    'readers of `GET /events` whom the gateway lets in at once, a function each',
  ),
  reservedConcurrency: choice(
    ['off', 'on'],
    'off',
    '`on`: consumers, schedules and readers of events have functions of their own; needs a quota (see below)',
  ),
  tableReadLimit: count(
    0,
    40_000_000,
    { dev: 0, prod: 0 },
    'read units a second that the table, and each of its indexes, takes at most; 0: the quota of the account',
  ),
  tableWriteLimit: count(0, 40_000_000, { dev: 0, prod: 0 }, 'the same of write units'),
  logDays: {
    form: 'a number of days that CloudWatch knows, such as 7, 30, 90, 365',
    preset: { dev: '7', prod: '90' },
    purpose: 'how long logs are kept',
    parse: (value: string): RetentionDays | undefined =>
      Object.values(RetentionDays).find(
        (days): days is RetentionDays =>
          typeof days === 'number' && days !== RetentionDays.INFINITE && String(days) === value,
      ),
  },
  tokenKeyDays: count(
    0,
    365,
    { dev: 90, prod: 90 },
    'how often the key of tokens is replaced; 0: never by itself, and there is no function for it',
  ),
  tableKey: choice(['aws', 'own'], 'aws', '`own`: a KMS key of the stack encrypts the table'),
  monitoring: choice(['on', 'off'], 'on', 'alarms and dashboard'),
  alarmEmail: text('an e-mail address', /^[^\s@]+@[^\s@]+$/, 'who is told of alarms'),
  domainName: text('a domain name', /^[a-z\d-]+(\.[a-z\d-]+)+$/, 'where the API answers as well'),
  certificateArn: text('the ARN of a certificate', /^arn:[\w-]+:acm:/, 'for `domainName`, in the same region'),
  hostedZoneId: text('the id of a Route 53 zone', /^Z[A-Z\d]+$/, 'gets the records of the domain names'),
  mtlsDomainName: text(
    'a domain name',
    /^[a-z\d-]+(\.[a-z\d-]+)+$/,
    'a second name, where every client shows a certificate: `auth_host` of log-ins by X.509',
  ),
  truststoreUri: text(
    'the S3 URI of a PEM file',
    /^s3:\/\/[^/]+\/.+$/,
    'the authorities whose certificates `mtlsDomainName` takes',
  ),
  mtlsCertificateArn: text(
    'the ARN of a certificate',
    /^arn:[\w-]+:acm:/,
    'for `mtlsDomainName`, unless `certificateArn` names both',
  ),
  webAcl: choice(['off', 'on'], 'off', "AWS WAF with AWS's rules and a limit for each address"),
  webAclRate: count(
    10,
    2_000_000,
    { dev: 30_000, prod: 30_000 },
    'requests of one address in five minutes, with `webAcl`',
  ),
  webAclArn: text('the ARN of a regional web ACL', /^arn:[\w-]+:wafv2:.*:regional\/webacl\//, 'a web ACL of your own'),
  restoredTable: text(
    'the name of a table',
    /^[\w.-]{3,255}$/,
    'serves this table in place of its own, after a restore ([operations](../operations.md#back-up-and-restore))',
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

function count(least: number, most: number, preset: Record<Stage, number>, purpose: string): Option<number> {
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
