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

/** A template of CloudFormation, as far as it is read here. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

/** What the functions get in place of the stack's table and key. */
export interface SamSettings {
  readonly endpoint: string;
  readonly tableName: string;
  /** Base64 of the key that signs tokens: one for all functions. */
  readonly tokenKey: string;
}

/** What `sam local start-api` looks at; it would complain of much of the rest. */
const kept = new Set([
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::RestApi',
  'AWS::Lambda::Function',
]);

/**
 * The API of a template and its functions, with an environment that needs nothing else of the stack. SAM sets only variables
 * that a template declares, so that a file with `--env-vars` could not do it.
 *
 * @throws Error when the functions stream: SAM's gateway cannot.
 */
export function forSam({ Resources }: Template, { endpoint, tableName, tokenKey }: SamSettings): Template {
  const resources = Object.entries(Resources).flatMap(([id, resource]): [string, Resource][] => {
    if (!kept.has(resource.Type)) return [];
    const { Type, Properties = {}, Metadata = {} } = resource;
    if (Type !== 'AWS::Lambda::Function') return [[id, { Type, Properties, Metadata }]];
    const { Variables = {} } = (Properties['Environment'] ?? {}) as { Variables?: Record<string, unknown> };
    if (Variables['RESPONSE_MODE'] === 'stream') throw new Error('synthesise with -c responseMode=buffer');
    // References to other resources say nothing outside of the stack.
    const literals = Object.entries(Variables).filter(([, value]) => typeof value === 'string');
    const variables = {
      ...Object.fromEntries(literals),
      TABLE_NAME: tableName,
      TOKEN_KEY: tokenKey,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    };
    const { Code, Handler, Runtime, MemorySize, Timeout } = Properties;
    // The code is JavaScript: it runs on any machine, and without emulation on one of the same kind.
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
  const made = forSam(template, { endpoint: values.endpoint, tableName: values.table, tokenKey });
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
