import { describe, expect, it } from 'vitest';

import { groups } from '../../lib/contract/index.ts';
import { resourcesOf, templateOf } from './template.ts';

interface FilterProperties {
  readonly FilterPattern: string;
  readonly LogGroupName: { readonly Ref: string };
  readonly MetricTransformations: readonly {
    readonly MetricName: string;
    readonly MetricNamespace: string;
    readonly MetricValue: string;
    readonly Dimensions: readonly { readonly Key: string; readonly Value: string }[];
  }[];
}

const filtersOf = (context: object) =>
  resourcesOf<FilterProperties>(templateOf(context), 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);

describe('metrics by operation', () => {
  it('are read out of the logs of all endpoint groups, on request', () => {
    expect(filtersOf({})).toEqual([]);
    const filters = filtersOf({ requestMetrics: 'on' });
    const names = ['Requests', 'Milliseconds', 'ReadUnits', 'WriteUnits'];
    expect(filters).toHaveLength(names.length * groups.length);
    expect(new Set(filters.map(({ LogGroupName }) => LogGroupName.Ref)).size).toBe(groups.length);
    const shown = filters.flatMap(({ FilterPattern, MetricTransformations }) =>
      MetricTransformations.map(({ MetricName, MetricNamespace, MetricValue, Dimensions }) =>
        [
          MetricNamespace,
          MetricName,
          MetricValue,
          FilterPattern,
          ...Dimensions.map(({ Key, Value }) => Key + Value),
        ].join(),
      ),
    );
    expect([...new Set(shown)].toSorted()).toEqual([
      'Dapple,Milliseconds,$.milliseconds,{ ($.operation = "*") && ($.milliseconds = "*") },Operation$.operation',
      'Dapple,ReadUnits,$.rru,{ ($.operation = "*") && ($.rru = "*") },Operation$.operation',
      'Dapple,Requests,1,{ ($.operation = "*") && ($.milliseconds = "*") },Operation$.operation',
      'Dapple,WriteUnits,$.wru,{ ($.operation = "*") && ($.wru = "*") },Operation$.operation',
    ]);
  });
});
