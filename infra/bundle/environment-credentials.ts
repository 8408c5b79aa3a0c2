/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. Lambda puts the credentials of the role into the
 * environment, where the SDK's own chain looks first. The other sources (files, SSO, STS, web identities, instances)
 * are 125 KB that a function never uses.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
