import type { Maker, RuleWish } from '../security/authorization/maker.ts';
import type { Deployment } from '../simulate/deployment.ts';
import { leastOptions } from '../support/subscriptions.ts';

/** Makes the objects of requests in a simulated deployment; all belong to `owner`. */
export async function openMaker(deployment: Deployment): Promise<Maker> {
  const names = { made: 0 };
  const name = () => {
    names.made += 1;
    return `sw-${names.made}`;
  };
  const as: Maker['as'] = async (method, path, body) => {
    const { text } = await deployment.requestSuccess({ method: method.toUpperCase(), path, body });
    return text;
  };
  const [owner, other, scope, foreign, rse] = ['owner', 'other', 'sweep', 'foreign', 'SW-SHARED'];
  for (const account of [owner, other]) {
    await as('post', `/accounts/${account}`, { type: 'USER', email: `${account}@example.org` });
  }
  const login = { username: 'owner', password: 'a password' };
  const identity = { identity: login.username, authtype: 'USERPASS', email: '', password: login.password };
  await as('post', `/accounts/${owner}/identities`, identity);
  await as('post', `/accounts/${owner}/scopes/${scope}`);
  await as('post', `/accounts/root/scopes/${foreign}`);
  await as('post', `/rses/${rse}`, {});
  for (const account of ['root', owner]) await as('post', `/accounts/${account}/limits/local/${rse}`, { bytes: 1e12 });
  const newRse = async () => {
    const made = name().toUpperCase();
    await as('post', `/rses/${made}`, {});
    return made;
  };
  const dataset = async () => {
    const made = name();
    await as('post', `/dids/${scope}/${made}`, { type: 'DATASET' });
    return made;
  };
  const fileIn = async (place: string) => {
    const made = name();
    await as('post', '/replicas', { rse, files: [{ scope: place, name: made, bytes: 10, adler32: '0cc737eb' }] });
    return made;
  };
  const ruleOf = async (account: string, wish: RuleWish = { copies: 1, rse_expression: rse }) => {
    const dids = [{ scope, name: await dataset() }];
    const body = { dids, account, ...wish };
    const { text } = await deployment.requestSuccess({ method: 'POST', path: '/rules', body });
    return String((JSON.parse(text) as string[])[0]);
  };
  return {
    owner,
    other,
    scope,
    foreign,
    rse,
    login,
    name,
    as,
    newRse,
    dataset,
    rseName: () => name().toUpperCase(),
    newRseOfCountry: async () => {
      const made = await newRse();
      await as('post', `/rses/${made}/attr/country`, { value: 'ch' });
      return made;
    },
    account: async () => {
      const made = name();
      await as('post', `/accounts/${made}`, { type: 'USER', email: '' });
      return made;
    },
    file: () => fileIn(scope),
    foreignFile: () => fileIn(foreign),
    rule: (wish) => ruleOf(owner, wish),
    ruleOfRoot: () => ruleOf('root'),
    subscription: async () => {
      const made = name();
      await as('post', `/subscriptions/${owner}/${made}`, { options: leastOptions });
      return made;
    },
  };
}
