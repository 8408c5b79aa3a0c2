import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';

import { acceptedFindings } from '../../infra/nag.ts';
import { options } from '../../infra/options.ts';
import { groups } from '../../lib/contract/index.ts';
import { buildApp, everything, leftOut, templateOf } from './template.ts';

describe('the stack', () => {
  it.each([
    ['dev', {}],
    ['prod', { stage: 'prod' }],
    ['prod with every option', { ...everything, stage: 'prod' }],
    ['dev with as little as can be', { monitoring: 'off', tokenKeyDays: '0' }],
  ])('of %s breaks no rule of AwsSolutions without an accepted reason', (_name, context) => {
    const { app } = buildApp(context);
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
    for (const { path, reason } of acceptedFindings(app)) expect(reason.split(' ').length, path).toBeGreaterThan(4);
  });

  it('is protected against deletion in prod', () => {
    expect(buildApp({ stage: 'prod' }).stack.terminationProtection).toBe(true);
    expect(buildApp({ stage: 'dev' }).stack.terminationProtection).toBe(false);
  });

  it('stays well below the 500 resources that CloudFormation allows', () => {
    const resources: unknown = templateOf({ ...everything, stage: 'prod' }).toJSON()['Resources'];
    expect(Object.keys(resources as object).length).toBeLessThan(450);
    expect(groups.length).toBeGreaterThan(0);
  });

  it('is measured above with every option there is', () => {
    expect([...Object.keys(everything), ...leftOut].toSorted()).toEqual(Object.keys(options).toSorted());
  });
});
