import { join } from 'node:path';

import { App } from 'aws-cdk-lib';

import { groups } from '../lib/contract/index.ts';
import { readPolicy } from '../lib/policy/read-policy.ts';
import { type Config, readConfig } from './config.ts';
import { checkAwsSolutions } from './nag.ts';
import { projectRoot } from './project-root.ts';
import { useSettings } from './settings.ts';
import { DappleStack } from './stack.ts';

// One stack, for the stage in the context: `cdk deploy -c stage=prod`; the default is `dev`. settings/<stage>.json has its options.
const app = new App();
let config: Config;
try {
  useSettings(app.node, join(projectRoot, 'settings'));
  config = readConfig(app.node);
  // A policy that is wrong stops here, with the line and the reason.
  await readPolicy(config.policy);
} catch (error) {
  // The message names the option and the remedy; a stack trace would hide it.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
new DappleStack(app, `dapple-${config.stage}`, { config, groups });
checkAwsSolutions(app);
