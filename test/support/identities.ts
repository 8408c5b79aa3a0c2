/** Set-up of the tests of identities: callers, log-in by password, and look-ups by identity. */
import { type Answer, asRoot, call, type Client, loginHeaders, newAccount } from './server.ts';

/** The e-mail address of identities. */
export const email = 'x@example.org';

/** Rucio's message about an unknown type of identity. */
export const validTypes = "Invalid identity type. Valid types are: ['X509', 'GSS', 'USERPASS', 'SSH', 'SAML', 'OIDC']";

/** Two accounts without rights, and one that administers. */
export async function newCallers(): Promise<{ alice: Client; bob: Client; admin: Client }> {
  const [alice, bob, admin] = await Promise.all([newAccount(), newAccount(), newAccount({ admin: true })]);
  return { alice, bob, admin };
}

/** Asks for a token. */
export function logIn(account: string, username: string, password: string): Promise<Answer> {
  return call('GET', '/auth/userpass', { headers: loginHeaders({ account, username, password }) });
}

/** The accounts that an identity may use. */
export async function accountsOf(identity: string, type: string): Promise<unknown> {
  const query = `identity_key=${encodeURIComponent(identity)}&type=${type}`;
  return (await asRoot().get(`/identities/accounts?${query}`)).json();
}
