import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Accepts findings of the AwsSolutions pack on a construct and its descendants: rule without prefix -> reason. */
export function acceptFindings(construct: IConstruct, findings: Readonly<Record<string, string>>): void {
  for (const [rule, reason] of Object.entries(findings)) {
    Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason });
  }
}
