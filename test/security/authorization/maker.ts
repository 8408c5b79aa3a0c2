import { expectStatus, register } from '../../support/replicas.ts';
import { asRoot, newScope, uniqueName } from '../../support/server.ts';
import { addSubscription } from '../../support/subscriptions.ts';
import { type Callers, country } from './callers.ts';

const root = asRoot();

/** Options of rules. */
export interface RuleWish {
  readonly copies: number;
  readonly rse_expression: string;
}

/** Makes the objects of requests; all are new and belong to the owner. */
export interface Maker {
  readonly owner: string;
  readonly other: string;
  readonly scope: string;
  /** An RSE on which the owner may use everything. */
  readonly rse: string;
  /** A user's name with its password. */
  readonly login: { readonly username: string; readonly password: string };
  readonly name: () => string;
  readonly rseName: () => string;
  readonly account: () => Promise<string>;
  readonly newRse: () => Promise<string>;
  /** An RSE of the country that one of the callers administers. */
  readonly newRseOfCountry: () => Promise<string>;
  readonly dataset: () => Promise<string>;
  /** A file with a replica on `rse`. */
  readonly file: () => Promise<string>;
  /** A scope of root's, and in it a file with a replica on `rse`. */
  readonly foreign: string;
  readonly foreignFile: () => Promise<string>;
  /** A rule of root's; its id. */
  readonly ruleOfRoot: () => Promise<string>;
  /** A rule of the owner; its id. On `rse`, unless it is wanted otherwise. */
  readonly rule: (wish?: RuleWish) => Promise<string>;
  /** A subscription of the owner; its name. */
  readonly subscription: () => Promise<string>;
  /** Sends a request as root that must succeed. */
  readonly as: (method: 'post' | 'put', path: string, body?: unknown) => Promise<string>;
}

/** Makes a scope and an RSE of the owner, and further objects on demand. */
export async function openMaker({ accounts: { owner, other } }: Callers): Promise<Maker> {
  const scope = await newScope({ owner: owner.account });
  const foreign = await newScope();
  const name = () => uniqueName('az');
  const rseName = () => uniqueName('az').toUpperCase();
  const as: Maker['as'] = async (method, path, body) => {
    const answer = await root[method](path, body);
    expectStatus(answer, answer.status < 300 ? answer.status : 200);
    return answer.text;
  };
  const newRse = async () => {
    const rse = rseName();
    await as('post', `/rses/${rse}`, {});
    return rse;
  };
  const newRseOfCountry = async () => {
    const rse = await newRse();
    await as('post', `/rses/${rse}/attr/country`, { value: country });
    return rse;
  };
  const rse = await newRse();
  for (const account of ['root', owner.account]) {
    await as('post', `/accounts/${account}/limits/local/${rse}`, { bytes: 1e12 });
  }
  const dataset = async () => {
    const made = name();
    await as('post', `/dids/${scope}/${made}`, { type: 'DATASET' });
    return made;
  };
  const fileIn = async (where: string) => {
    const file = name();
    await register(rse, where, [file]);
    return file;
  };
  const ruleOf = async (account: string, wish: RuleWish = { copies: 1, rse_expression: rse }) => {
    const dids = [{ scope, name: await dataset() }];
    const answer = await root.post('/rules', { dids, account, ...wish });
    expectStatus(answer, 201);
    return String((answer.json() as string[])[0]);
  };
  return {
    owner: owner.account,
    other: other.account,
    scope,
    rse,
    login: owner,
    name,
    rseName,
    newRse,
    newRseOfCountry,
    dataset,
    as,
    account: async () => {
      const account = name();
      await as('post', `/accounts/${account}`, { type: 'USER', email: '' });
      return account;
    },
    file: () => fileIn(scope),
    foreign,
    foreignFile: () => fileIn(foreign),
    rule: (wish) => ruleOf(owner.account, wish),
    ruleOfRoot: () => ruleOf('root'),
    subscription: async () => {
      const subscription = name();
      expectStatus(await addSubscription(owner, subscription), 201);
      return subscription;
    },
  };
}
