import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { resourcesOf, templateOf } from './template.ts';

const template = templateOf({ movers: 'on', monitoring: 'all' });

const ofMovers = <T>(type: string, from = template) =>
  resourcesOf<T>(from, type).filter(([id]) => id.startsWith('MoveData'));

describe('the function of the movers', () => {
  it('exists with the option alone', () => {
    expect(ofMovers('AWS::Lambda::Function', templateOf())).toEqual([]);
    expect(ofMovers('AWS::Lambda::Function')).toHaveLength(1);
  });

  it('starts every minute, also while copies of an earlier run are under way', () => {
    expect(ofMovers('AWS::Events::Rule').map(([, { Properties }]) => Properties)).toMatchObject([
      { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' },
    ]);
    expect(ofMovers('AWS::Lambda::Function').map(([, { Properties }]) => Properties)).toMatchObject([{ Timeout: 900 }]);
  });

  it('may read the credentials of storage, and writes the table', () => {
    const policies = JSON.stringify(ofMovers('AWS::IAM::Policy'));
    expect(policies).toMatch(/secretsmanager:GetSecretValue.*"RseCredentials/);
    expect(policies).toContain('dynamodb:PutItem');
    expect(ofMovers('AWS::Lambda::Function').map(([, { Properties }]) => Properties)).toMatchObject([
      { Environment: { Variables: { RSE_CREDENTIALS_SECRET_ID: expect.anything() } } },
    ]);
  });

  it('has alarms for runs that fail and for copies that fail for good, which the operations guide has', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/operations/alarms.md'), 'utf8');
    const alarms = resourcesOf<{ AlarmName: string; AlarmDescription: string; MetricName: string }>(
      template,
      'AWS::CloudWatch::Alarm',
    ).filter(([, { Properties }]) => Properties.AlarmName.includes('MoveData'));
    expect(alarms.map(([, { Properties }]) => [Properties.AlarmName, Properties.MetricName])).toEqual([
      ['test-MoveDataErrors', 'Errors'],
      ['test-MoveDataFailed', 'CopiesFailed'],
    ]);
    for (const [, { Properties }] of alarms) {
      const name = Properties.AlarmName.replace('test-', '');
      expect(guide).toMatch(
        new RegExp(`^\\| \`${name}\` +\\| ${Properties.AlarmDescription.replaceAll('.', '\\.')} `, 'm'),
      );
    }
  });
});
