import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';

import { groups } from '../../lib/contract/index.ts';
import { buildApp, templateOf } from './template.ts';

describe('the stack', () => {
  it.each(['dev', 'prod'])('of %s breaks no rule of AwsSolutions without an accepted reason', (stage) => {
    const { app } = buildApp({ stage });
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });

  it('is protected against deletion in prod', () => {
    expect(buildApp({ stage: 'prod' }).stack.terminationProtection).toBe(true);
    expect(buildApp({ stage: 'dev' }).stack.terminationProtection).toBe(false);
  });

  it('refuses a stage and a response mode that do not exist', () => {
    expect(() => buildApp({ stage: 'production' })).toThrow('context value stage is production, not one of dev, prod');
    expect(() => buildApp({ responseMode: 'lazy' })).toThrow('not one of stream, buffer');
  });

  it('stays well below the 500 resources that CloudFormation allows', () => {
    const resources: unknown = templateOf().toJSON()['Resources'];
    expect(Object.keys(resources as object).length).toBeLessThan(400);
    expect(groups.length).toBeGreaterThan(0);
  });
});
