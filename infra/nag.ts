import { type App, type PolicyValidationPluginReport, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** Fails the synthesis when a resource breaks a rule of cdk-nag's AwsSolutions pack without an accepted reason. */
export function checkAwsSolutions(app: App): void {
  Validations.of(app).addPlugins(new CountingChecks(app));
}

/** The pack, which also prints the number of its findings. */
class CountingChecks extends AwsSolutionsChecks {
  override validateScope(scope: IConstruct): PolicyValidationPluginReport {
    const report = super.validateScope(scope);
    const findings = report.violations.flatMap((violation) => violation.violatingResources).length;
    const accepted = acceptedFindings(scope);
    const rules = new Set(accepted.map(({ rule }) => rule));
    console.error(
      `cdk-nag AwsSolutions: ${findings} findings; ${accepted.length} accepted, of ${rules.size} rules, with a reason each`,
    );
    return report;
  }
}

/** The accepted findings below a construct, with their reasons. */
export function acceptedFindings(scope: IConstruct): { path: string; rule: string; reason: string }[] {
  return scope.node.findAll().flatMap(({ node: { path, metadata } }) =>
    metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => ({ path, rule: id.replace(/^annotation::/i, ''), reason })),
  );
}
