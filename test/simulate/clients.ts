import type { Action } from './actions.ts';
import type { CallLog } from './calls.ts';
import { ChangingClient } from './changing-client.ts';
import type { Deployment } from './deployment.ts';
import { DiracClient } from './dirac.ts';
import { ExpiringClient, findRule, type Send } from './expiring-client.ts';
import type { Reply } from './fleet.ts';
import { HostileClient } from './hostile-client.ts';
import type { SendOnce } from './keyed-request.ts';
import { requestOfOptions } from './metadata-index.ts';
import { SimulatedMover } from './mover.ts';
import { requestOfOpendata } from './opendata.ts';
import { OperatorClient } from './operator-client.ts';
import type { Random } from './random.ts';
import { ReadingClient } from './reads.ts';
import { ReplicationClient } from './replication-client.ts';
import { rowsOf } from './rows.ts';
import type { RuleLedger } from './rule-ledger.ts';

/** Action of a client. */
export type ClientAction = Exclude<Action, { do: 'pause' }>;

/** Context of clients. */
interface Surroundings {
  /** The scope that the model knows, and all scopes. */
  readonly scope: string;
  readonly scopes: readonly string[];
  readonly deployment: Deployment;
  readonly rules: RuleLedger;
  readonly calls: CallLog;
  /** Whether secondary indexes lag. */
  readonly indexesLag: boolean;
  readonly send: SendOnce;
  /** Finds what a reply may not be. */
  readonly judge: (action: Action | string, reply: Reply | undefined) => void;
}

/** All clients, who carry out the steps of a history. */
export class Clients {
  readonly #scope: string;
  readonly #scopes: readonly string[];
  readonly #deployment: Deployment;
  readonly #rules: RuleLedger;
  readonly #judge: Surroundings['judge'];
  readonly #send: Send;
  readonly #changingClient: ChangingClient;
  readonly #mover: SimulatedMover;
  readonly #expiringClient: ExpiringClient;
  readonly #replicationClient: ReplicationClient;
  readonly #operatorClient: OperatorClient;
  readonly #hostileClient: HostileClient;
  readonly #readingClient: ReadingClient;
  readonly #diracClient: DiracClient;

  constructor({ scope, scopes, deployment, rules, calls, indexesLag, send, judge }: Surroundings) {
    [this.#scope, this.#scopes, this.#deployment, this.#rules, this.#judge] = [scope, scopes, deployment, rules, judge];
    const sleep = (milliseconds: number) => deployment.scheduler.sleep(milliseconds);
    this.#send = (request, random) => send(request, random, () => {});
    this.#expiringClient = new ExpiringClient(scope, this.#send, () => deployment.runJob('expire-dids'));
    this.#diracClient = new DiracClient(this.#send, deployment);
    this.#replicationClient = new ReplicationClient(scope, this.#send, rules, deployment);
    const prepare = () => this.#replicationClient.prepare();
    this.#hostileClient = new HostileClient(this.#send, deployment, prepare);
    this.#operatorClient = new OperatorClient(scope, this.#send, deployment, prepare);
    this.#changingClient = new ChangingClient(scope, send, { sleep, calls, lives: () => deployment.restored });
    this.#readingClient = new ReadingClient(scope, this.#send, calls, indexesLag);
    const post = async (path: string, content: object, random: Random) => {
      const reply = await this.#send({ method: 'POST', path, body: content }, random);
      judge(path, reply);
      return reply;
    };
    this.#mover = new SimulatedMover(post, sleep, deployment.storage);
  }

  /** Lets the work that clients have begun come to its end. */
  settle(): Promise<void> {
    return this.#replicationClient.settle();
  }

  /** Faults that clients know at the end. */
  async findFlaws(): Promise<string[]> {
    return [
      ...(await this.#diracClient.findFlaws()),
      ...(await this.#operatorClient.findFlaws(this.#scopes)),
      ...this.#mover.flaws,
    ];
  }

  /** The reply to an action; undefined if none came, or if it was judged already. */
  async carryOut(action: ClientAction, random: Random): Promise<Reply | undefined> {
    switch (action.do) {
      case 'empty':
        return this.#detachSome(action.name, action.count, random);
      case 'rule':
        return this.#makeRule(action.name, action.rse, random);
      case 'unrule': {
        const { name } = action;
        const rule = await findRule(
          this.#send,
          { scope: this.#scope, name },
          random,
          (found) => found['name'] === name,
        );
        return rule === undefined ? undefined : this.#endRule(rule.id, random);
      }
      case 'state': {
        const files = [{ scope: this.#scope, name: action.name, state: action.state }];
        const body = { rse: action.rse, files };
        if (action.state === 'A') this.#deployment.watch.upload(action.rse, { scope: this.#scope, name: action.name });
        return this.#send({ method: 'PUT', path: '/replicas', body }, random);
      }
      case 'move':
        await this.#mover.move(action, random);
        return undefined;
      case 'expiring':
        return this.#expiringClient.act(action.expiring, random);
      case 'replication':
        return this.#replicationClient.act(action.replication, random);
      case 'operate':
        return this.#operatorClient.act(action.operation, random);
      case 'intrude':
        return this.#hostileClient.act(action.attempt, random);
      case 'dirac':
        return this.#diracClient.act(action.dirac, random);
      case 'opendata':
        return this.#send(requestOfOpendata(action.opendata), random);
      case 'read':
        return this.#readingClient.act(action.read, random);
      case 'configure':
        return this.#send(requestOfOptions(action.options), random);
      case 'guard':
        return this.#changingClient.actOnMatch(action.change, random);
      default:
        return this.#changingClient.act(action, random);
    }
  }

  /** Detaches children that a list shows: the action does not name them, so the request is judged here. */
  async #detachSome(name: string, count: number, random: Random): Promise<undefined> {
    const reply = await this.#send({ method: 'GET', path: `/dids/${this.#scope}/${name}/dids` }, random.fork('list'));
    const children = namesIn(reply).slice(0, count);
    if (children.length === 0) return;
    const detachment = { do: 'detach', name, children } as const;
    this.#judge(detachment, await this.#changingClient.act(detachment, random));
  }

  async #makeRule(name: string, rse: string, random: Random): Promise<Reply | undefined> {
    const body = {
      dids: [{ scope: this.#scope, name }],
      account: 'root',
      copies: 1,
      rse_expression: rse,
      grouping: 'ALL',
    };
    const reply = await this.#send({ method: 'POST', path: '/rules/', body }, random);
    this.#rules.noteMade(reply);
    return reply;
  }

  async #endRule(id: string, random: Random): Promise<Reply | undefined> {
    const reply = await this.#send({ method: 'DELETE', path: `/rules/${id}` }, random);
    this.#rules.noteEnd(id, reply);
    return reply;
  }
}

const namesIn = (reply: Reply | undefined) =>
  reply?.status === 200 ? rowsOf(reply).map(({ name }) => String(name)) : [];
