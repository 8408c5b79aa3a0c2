/** Actions of DIRAC: it registers files by their paths, in a scope of its own, where other clients remove rules and let DIDs expire. */
import type { ClientRequest } from './client-request.ts';
import { describeFile } from './content.ts';
import type { Deployment } from './deployment.ts';
import { findRule, type Send } from './expiring-client.ts';
import { auditExpiring } from './expiring-dids.ts';
import type { Reply } from './fleet.ts';
import { homeRse, rses } from './names.ts';
import type { Random } from './random.ts';
import { rowsOf } from './rows.ts';
import { requestOfRuleChange, type RuleChange } from './rule-changes.ts';

/** The scope. */
export const diracScope = 'xdirac';

/** An action of DIRAC, or on what it has registered. */
export type DiracAction =
  /** Registers files with their datasets and containers. */
  | { readonly kind: 'add'; readonly rse: string; readonly lfns: readonly string[] }
  /** Changes a rule of a DID. */
  | { readonly kind: 'rerule'; readonly name: string; readonly change: RuleChange }
  | { readonly kind: 'detach'; readonly lfn: string }
  | { readonly kind: 'lifetime'; readonly name: string; readonly seconds: number };

/** The second part of a path names the scope, of a path with one part that part. */
const [top, datasets, files] = [`/${diracScope}/${diracScope}`, 2, 6];

/** Draws an action. */
export function drawDiracAction(random: Random): DiracAction {
  const container = `${top}/s${random.below(2)}/t0`;
  const drawLfn = () => `${container}/u${random.below(datasets)}/f${random.below(files)}`;
  const [lfn, kind] = [drawLfn(), random.weighed({ add: 6, rerule: 2, detach: 1, lifetime: 0.5 })];
  const name = random.pick([lfn, datasetOf(lfn), container]);
  switch (kind) {
    case 'add':
      return { kind, rse: random.pick(rses), lfns: Array.from({ length: 1 + random.below(4) }, drawLfn) };
    case 'rerule':
      return { kind, name, change: random.pick(changes) };
    case 'detach':
      return { kind, lfn };
    case 'lifetime':
      return { kind, name, seconds: random.below(60) };
  }
}

const changes: readonly RuleChange[] = [
  { to: 'remove', purges: false },
  { to: 'remove', purges: true },
  { to: 'move', rse: homeRse },
  { to: 'change', options: { lifetime: 5 } },
  { to: 'change', options: { state: 'STUCK' } },
];

const datasetOf = (lfn: string) => lfn.slice(0, lfn.lastIndexOf('/'));

/** Prepares the scope; the rule of a dataset may use any RSE with this attribute. */
async function prepareDirac(deployment: Deployment): Promise<void> {
  await deployment.requestSuccess({ method: 'POST', path: `/scopes/root/${diracScope}` });
  for (const rse of rses) {
    await deployment.requestSuccess({ method: 'POST', path: `/rses/${rse}/attr/ANY`, body: { value: true } });
  }
}

/** Carries out actions, and knows what must be there at the end. */
export class DiracClient {
  readonly #send: Send;
  readonly #deployment: Deployment;
  /** The files that are registered, and that nobody has removed. */
  readonly #registered = new Set<string>();
  readonly #touched = new Set<string>();
  #prepared: Promise<void> | undefined;

  constructor(send: Send, deployment: Deployment) {
    this.#send = send;
    this.#deployment = deployment;
  }

  /** The reply to the action; undefined if none came, or nothing was requested. */
  async act(action: DiracAction, random: Random): Promise<Reply | undefined> {
    await (this.#prepared ??= prepareDirac(this.#deployment));
    if (action.kind === 'rerule') {
      const rule = await findRule(this.#send, { scope: diracScope, name: action.name }, random);
      if (rule === undefined) return undefined;
      this.#touched.add(rule.name);
      return this.#send(requestOfRuleChange(rule.id, action.change), random);
    }
    if (action.kind !== 'add') this.#touched.add(action.kind === 'detach' ? action.lfn : action.name);
    else for (const name of action.lfns) this.#deployment.watch.upload(action.rse, { scope: diracScope, name });
    const reply = await this.#send(requestOf(action), random);
    if (action.kind === 'add' && reply?.status === 201) for (const lfn of action.lfns) this.#registered.add(lfn);
    return reply;
  }

  /** Contradictions in the scope, and registered files that are not where they must be though no client has touched what holds them. */
  async findFlaws(): Promise<string[]> {
    if (this.#prepared === undefined) return [];
    const flaws = await auditExpiring(this.#deployment, diracScope);
    for (const lfn of this.#registered) {
      const path = [lfn, datasetOf(lfn), datasetOf(datasetOf(lfn))];
      if (path.some((name) => this.#touched.has(name))) continue;
      for (const [index, name] of path.slice(0, -1).entries()) {
        const reply = await this.#deployment.requestAny({ method: 'GET', path: `/dids/${diracScope}/${name}/parents` });
        const parents = reply.status === 200 ? rowsOf(reply).map((row) => String(row['name'])) : [];
        const parent = path[index + 1] ?? '';
        if (!parents.includes(parent)) flaws.push(`${lfn} was registered, and ${name} is not in ${parent}`);
      }
    }
    return flaws;
  }
}

function requestOf(action: Exclude<DiracAction, { kind: 'rerule' }>): ClientRequest {
  switch (action.kind) {
    case 'add': {
      const lfns = action.lfns.map((lfn) => ({
        lfn,
        rse: action.rse,
        ...describeFile({ scope: diracScope, name: lfn }),
      }));
      return { method: 'POST', path: '/dirac/addfiles', body: { lfns, ignore_availability: true } };
    }
    case 'detach': {
      const dids = [{ scope: diracScope, name: action.lfn }];
      return { method: 'DELETE', path: `/dids/${diracScope}/${datasetOf(action.lfn)}/dids`, body: { dids } };
    }
    case 'lifetime': {
      const path = `/dids/${diracScope}/${action.name}/meta/lifetime`;
      return { method: 'POST', path, body: { value: action.seconds } };
    }
  }
}
