import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const help = `npm run sam:template -- [options]      makes of a synthesised template one for \`sam local start-api\`

  --template <file>   what \`npm run synth -- -c responseMode=buffer\` wrote (default: cdk.out/dapple-dev.template.json)
  --endpoint <url>    the engine as the containers see it (default: http://dynamodb:8000)
  --table <name>      its table (default: Dapple)
  --help              this text

Writes sam.template.json beside the template.`;

/** The part of a CloudFormation template that is read here. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

/** The settings that replace the stack's table and key. */
export interface SamSettings {
  readonly endpoint: string;
  readonly tableName: string;
  /** Signing key of tokens in base64, the same for all functions. */
  readonly tokenKey: string;
}

/** The resource types that `sam local start-api` reads; it would report errors for many others. */
const keptTypes = new Set([
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::RestApi',
  'AWS::Lambda::Function',
]);

/**
 * Reduces a template to the API and its functions, with an environment that needs nothing else of the stack. SAM sets
 * only variables that the template declares, so a file with `--env-vars` could not do this.
 *
 * @throws Error if the functions stream: SAM's gateway does not support that.
 */
export function toSamTemplate({ Resources }: Template, { endpoint, tableName, tokenKey }: SamSettings): Template {
  const resources = Object.entries(Resources).flatMap(([id, resource]): [string, Resource][] => {
    if (!keptTypes.has(resource.Type)) return [];
    const { Type, Properties = {}, Metadata = {} } = resource;
    if (Type !== 'AWS::Lambda::Function') return [[id, { Type, Properties, Metadata }]];
    const { Variables = {} } = (Properties['Environment'] ?? {}) as { Variables?: Record<string, unknown> };
    if (Variables['RESPONSE_MODE'] === 'stream') throw new Error('synthesise with -c responseMode=buffer');
    // References to other resources have no meaning outside of the stack.
    const literals = Object.entries(Variables).filter(([, value]) => typeof value === 'string');
    const variables = {
      ...Object.fromEntries(literals),
      TABLE_NAME: tableName,
      TOKEN_KEY: tokenKey,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    };
    const { Code, Handler, Runtime, MemorySize, Timeout } = Properties;
    // The code is JavaScript and runs on any architecture; that of this machine needs no emulation.
    const Architectures = [process.arch === 'arm64' ? 'arm64' : 'x86_64'];
    const settings = { Code, Handler, Runtime, MemorySize, Timeout, Architectures };
    return [[id, { Type, Metadata, Properties: { ...settings, Environment: { Variables: variables } } }]];
  });
  return { Resources: Object.fromEntries(resources) };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      template: { type: 'string', default: 'cdk.out/dapple-dev.template.json' },
      endpoint: { type: 'string', default: 'http://dynamodb:8000' },
      table: { type: 'string', default: 'Dapple' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  const template = JSON.parse(await readFile(values.template, 'utf8')) as Template;
  const tokenKey = randomBytes(32).toString('base64');
  const made = toSamTemplate(template, { endpoint: values.endpoint, tableName: values.table, tokenKey });
  const path = join(dirname(values.template), 'sam.template.json');
  await writeFile(path, JSON.stringify(made, undefined, 1));
  console.log(`${path}: ${Object.keys(made.Resources).length} resources`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
