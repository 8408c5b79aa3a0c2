import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Fails the synthesis when a resource breaks a rule of cdk-nag's AwsSolutions pack without an accepted reason. */
export function checkAwsSolutions(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
