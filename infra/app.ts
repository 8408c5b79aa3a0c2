import { App } from 'aws-cdk-lib';

import { groups } from '../lib/contract/index.ts';
import { readConfig } from './config.ts';
import { checkAwsSolutions } from './nag.ts';
import { DappleStack } from './stack.ts';

// One stack for the stage of the context: `cdk deploy -c stage=prod`, by default `dev`.
const app = new App();
const config = readConfig(app.node);
new DappleStack(app, `dapple-${config.stage}`, { config, groups });
checkAwsSolutions(app);
