/** The template for `sam local start-api` (docs/how-to/deploy.md); test/deploy/main.ts checks its code. */
import { describe, expect, it } from 'vitest';

import { toSamTemplate } from '../../infra/sam-template.ts';
import { groups } from '../../lib/contract/index.ts';
import { templateOf } from '../infra/template.ts';

const settings = { endpoint: 'http://dynamodb:8000', tableName: 'Dapple', tokenKey: 'a2V5' };

/** A resource as SAM's reader of CDK templates sees it. */
interface Read {
  readonly Type: string;
  readonly Metadata: Readonly<Record<string, unknown>>;
  readonly Properties: {
    readonly PathPart?: string;
    readonly ParentId?: { readonly Ref?: string };
    readonly ResourceId?: { readonly Ref?: string };
    readonly HttpMethod?: string;
    readonly Integration?: { readonly Type: string; readonly Uri: unknown };
    readonly Handler?: string;
    readonly Runtime?: string;
    readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
  };
}

const read = () => {
  const { Resources } = toSamTemplate(templateOf({ responseMode: 'buffer' }).toJSON() as never, settings);
  return Resources as unknown as Record<string, Read>;
};

describe('the template for SAM', () => {
  it('routes every method of every prefix, and of what is below it, to the function of the group', () => {
    const resources = read();
    const pathOf = (id: string | undefined): string => {
      const { PathPart = '', ParentId } = resources[id ?? '']?.Properties ?? {};
      return PathPart === '' ? '' : `${pathOf(ParentId?.Ref)}/${PathPart}`;
    };
    const routes = Object.values(resources)
      .filter(({ Type }) => Type === 'AWS::ApiGateway::Method')
      .map(({ Properties: { ResourceId, HttpMethod, Integration } }) => {
        // SAM finds the function by its logical id in the URI.
        const target = /"Fn::GetAtt":\["(\w+)","Arn"\]/.exec(JSON.stringify(Integration?.Uri))?.[1] ?? '';
        expect(resources[target]?.Type).toBe('AWS::Lambda::Function');
        return `${HttpMethod} ${pathOf(ResourceId?.Ref)} ${Integration?.Type} ${target.replace(/Function\w{8}$/, '')}`;
      });
    const wanted = groups.flatMap(({ name, prefixes }) =>
      prefixes.flatMap((prefix) =>
        (prefix === '/' ? [''] : [prefix, `${prefix}/{proxy+}`]).map(
          (path) => `ANY ${path} AWS_PROXY group${name.replaceAll('-', '')}`,
        ),
      ),
    );
    wanted.push('ANY /{proxy+} AWS_PROXY groupping');
    expect(routes.sort()).toEqual(wanted.sort());
  });

  it('gives each function an environment without references to the stack', () => {
    const functions = Object.values(read()).filter(({ Type }) => Type === 'AWS::Lambda::Function');
    expect(functions.length).toBeGreaterThan(groups.length);
    for (const { Properties } of functions) {
      const { TABLE_NAME, TOKEN_KEY, AWS_ENDPOINT_URL_DYNAMODB, ...others } = Properties.Environment?.Variables ?? {};
      expect({ TABLE_NAME, TOKEN_KEY, AWS_ENDPOINT_URL_DYNAMODB }).toEqual({
        TABLE_NAME: 'Dapple',
        TOKEN_KEY: 'a2V5',
        AWS_ENDPOINT_URL_DYNAMODB: 'http://dynamodb:8000',
      });
      expect(Object.values(others).filter((value) => typeof value !== 'string')).toEqual([]);
      expect(Properties).toMatchObject({ Handler: 'index.handler', Runtime: 'nodejs24.x' });
    }
  });

  it('is refused for functions that stream, which SAM cannot serve', () => {
    expect(() => toSamTemplate(templateOf().toJSON() as never, settings)).toThrow('-c responseMode=buffer');
  });
});
