import { App, type AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';

import cdkJson from '../../cdk.json' with { type: 'json' };
import { readConfig } from '../../infra/config.ts';
import { DappleStack } from '../../infra/stack.ts';
import { groups as contractGroups } from '../../lib/contract/index.ts';
import type { Group } from '../../lib/contract/route.ts';

/** A resource of the template; `P` names the properties that a test reads. */
export interface Resource<P> {
  readonly Properties: P;
  readonly DeletionPolicy?: string;
}

/** The app as cdk.json configures it. Bundling and the CDK's own, slow rules are left to `npm run synth`. */
export function buildApp(context: AppProps['context'] = {}, groups: readonly Group[] = contractGroups) {
  const app = new App({
    context: { ...cdkJson.context, 'aws:cdk:bundling-stacks': [], ...context },
    builtinCloudFormationValidation: false,
    treeMetadata: false,
  });
  return { app, stack: new DappleStack(app, 'test', { config: readConfig(app.node), groups }) };
}

/** The template of the stack under the context. */
export function templateOf(context?: AppProps['context'], groups?: readonly Group[]): Template {
  return Template.fromStack(buildApp(context, groups).stack);
}

/** Every resource of a type by logical id. */
export function resourcesOf<P>(template: Template, type: string): [id: string, resource: Resource<P>][] {
  return Object.entries(template.findResources(type)) as [string, Resource<P>][];
}
