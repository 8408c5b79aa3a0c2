import { customResource } from '../lib/custom-resource.ts';
import { makeRoot } from '../lib/domain/accounts/make-root.ts';
import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** Runs when the stack is created or updated: creates the first account, with the password in Secrets Manager. */
export const handler = customResource('root-account', async ({ SecretId }) => ({
  Outcome: await makeRoot(store.begin(), String(SecretId)),
}));
