import { join } from 'node:path';

import { type BundlingOptions, LogLevel, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';

/** Root of the project, wherever the CDK is started from. */
export const projectRoot = join(import.meta.dirname, '..');

/** How esbuild makes one ES module of a function and all that it imports, the AWS SDK included. */
export const bundling: BundlingOptions = {
  format: OutputFormat.ESM,
  target: 'node24',
  // Prefers the ES modules of packages: 988 KB -> 434 KB for SDK, lib-dynamodb, zod and middy.
  mainFields: ['module', 'main'],
  minify: true,
  sourceMap: true,
  sourcesContent: false,
  // Pins the SDK to the version that was tested; the runtime's copy changes without notice.
  bundleAwsSDK: true,
  // CommonJS packages in an ES module still call require(); the alias cannot clash with an import of the bundle.
  banner:
    "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  logLevel: LogLevel.WARNING,
};
