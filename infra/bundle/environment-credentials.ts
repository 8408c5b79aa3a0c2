/**
 * Stands for `@aws-sdk/credential-provider-node` in the bundles: Lambda puts the credentials of the role into the
 * environment, and that is the first place where the SDK's own chain looks. Its other places (files, SSO, STS, web
 * identities, instances) are 125 KB that a function never uses.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
