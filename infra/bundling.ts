import { type BundlingOptions, LogLevel, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { BuildOptions } from 'esbuild';

import { documentFileName, isPageName, pageFileName } from '../lib/contract/page-files.ts';
import { defaultPolicy } from '../lib/policy/read-policy.ts';
import { fileOfPolicy } from './policy-file.ts';
import { projectRoot } from './project-root.ts';

/** Packages that a file of infra/bundle replaces in the bundles; each file says why (bench/cold-start has the sizes). */
const alias = {
  '@aws-sdk/credential-provider-node': './infra/bundle/environment-credentials.ts',
  '@aws-sdk/dynamodb-codec': './infra/bundle/no-attribute-codec.ts',
  '@aws-sdk/endpoint-cache': './infra/bundle/no-endpoint-cache.ts',
  '@smithy/core/checksum': './infra/bundle/checksums.ts',
  '@smithy/core/event-streams': './infra/bundle/no-event-streams.ts',
};

/** The replacements with a policy in the place of the module that reads one: bundles hold that policy and no other. */
const aliasWith = (policy: string) => ({ ...alias, '#policy': fileOfPolicy(policy) });

/** The esbuild options that bundle a function with all its imports, including the AWS SDK, into one ES module. */
export const esbuildOptions = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // Prefers the ES modules of packages, which are less than half the size when bundled.
  mainFields: ['module', 'main'],
  alias: aliasWith(defaultPolicy),
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  // CommonJS packages in an ES module still call require(). The alias cannot clash with an import of the bundle.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  logLevel: 'warning',
} satisfies BuildOptions;

/** The same options for another policy than the generic one: its name, or the path of its file. */
export const esbuildOptionsWith = (policy: string) => ({ ...esbuildOptions, alias: aliasWith(policy) });

/**
 * The same options in the CDK's notation. The CDK adds `bundle` and `platform`, and runs esbuild in the project's root.
 */
const bundling: BundlingOptions = {
  format: OutputFormat.ESM,
  target: esbuildOptions.target,
  mainFields: esbuildOptions.mainFields,
  minify: esbuildOptions.minify,
  sourceMap: esbuildOptions.sourcemap,
  sourcesContent: esbuildOptions.sourcesContent,
  // Pins the tested version of the SDK; the version in the runtime changes without notice.
  bundleAwsSDK: true,
  banner: esbuildOptions.banner.js,
  logLevel: LogLevel.WARNING,
};

/**
 * The options for one function. Beside its bundle are the built page and the OpenAPI document, if it serves them.
 *
 * @param policy Its name, or the path of its file.
 */
export function bundlingOf(entry: string, policy: string): BundlingOptions {
  const replaced = Object.entries(aliasWith(policy)).map(([name, file]) => `${name}=${file}`);
  const options = { ...bundling, esbuildArgs: { '--alias': replaced } };
  if (!isPageName(entry)) return options;
  const build = (_input: string, output: string) => [
    `"${process.execPath}" infra/build-page.ts ${entry} "${output}/${pageFileName}"`,
    ...(entry === 'openapi'
      ? [`"${process.execPath}" lib/openapi/write.ts "${output}/${documentFileName}" "${policy}"`]
      : []),
  ];
  return { ...options, commandHooks: { beforeBundling: () => [], beforeInstall: () => [], afterBundling: build } };
}
