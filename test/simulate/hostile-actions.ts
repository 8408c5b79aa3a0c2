import { bytesOf } from '../model/model.ts';
/** Attempts of a hostile user with names, PFNs and claims, and actions of the users whose files are meant. */
import type { ClientRequest } from './client-request.ts';
import { describeFile, type FileName } from './content.ts';
import { openRse, ruleRses, victimScope } from './names.ts';
import type { Random } from './random.ts';
import { hostOf } from './storage.ts';

/** The account of the hostile user, and its scope. */
export const stranger = 'stranger';
export const strangerScope = 'xstranger';

type RuleRse = (typeof ruleRses)[number];

/** An action of the hostile user, or of those whose files are meant. */
export type HostileAction =
  /** Registers a file of its own under a path that may lead to another's file, or to a folder. */
  | { readonly kind: 'alias'; readonly name: string; readonly path: string }
  /** Registers a file of its own under a name that is a path. */
  | { readonly kind: 'name'; readonly name: string }
  /** Makes a rule that soon ends, on one of its files, and wants its replicas deleted then. */
  | { readonly kind: 'purge'; readonly name: string }
  /** Says that a file of another is on an RSE where anybody may register replicas. */
  | { readonly kind: 'claim'; readonly file: FileName; readonly bytes: number }
  /** Another uploads a file, with a rule that keeps it. */
  | { readonly kind: 'publish'; readonly file: FileName }
  /** Another has that file elsewhere, where nobody else may register files. */
  | { readonly kind: 'keep'; readonly file: FileName; readonly rse: RuleRse }
  /** Another wants a file that is elsewhere on the RSE where anybody may register replicas. */
  | { readonly kind: 'want'; readonly file: FileName }
  /** Another wants that file elsewhere: the rule moves. */
  | { readonly kind: 'withdraw'; readonly file: FileName; readonly rse: string };

const victims = ['v0', 'v1', 'v2'];
/** Files of others that are not uploaded where anybody may register replicas: whoever says so lies. */
const guarded = ['w0', 'w1', 'w2'];
const own = ['h0', 'h1', 'h2', 'h3'];

/** Where the files of others are, below the prefix. */
export const victimPath = ({ name }: FileName) => `/data/${name}/${name}.dat`;

/** Draws an action. */
export function drawHostileAction(random: Random): HostileAction {
  const kind = random.weighed({ alias: 5, name: 1, purge: 5, claim: 4, publish: 4, withdraw: 2, keep: 3, want: 3 });
  const file = { scope: victimScope, name: random.pick(victims) };
  const secret = { scope: victimScope, name: random.pick(guarded) };
  switch (kind) {
    case 'alias':
      return { kind, name: random.pick(own), path: random.pick(aliases)(victimPath(file)) };
    case 'name':
      return { kind, name: random.pick(evilNames) };
    case 'purge':
      return { kind, name: random.pick(own) };
    case 'claim': {
      const claimed = random.chance(0.5) ? file : secret;
      return { kind, file: claimed, bytes: random.chance(0.7) ? bytesOf(claimed.name) : 9e18 };
    }
    case 'keep':
      return { kind, file: secret, rse: random.pick(ruleRses) };
    case 'want':
      return { kind, file: secret };
    case 'publish':
      return { kind, file };
    case 'withdraw':
      return { kind, file, rse: random.pick(['SIM_A', 'SIM_B']) };
  }
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** Ways to write a path, or one that leads to it. */
const aliases: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `/.${path}`,
  (path) => `/${path}`,
  (path) => path.replace(/\/([^/]*)$/, '//$1'),
  (path) => path.replace(/\/([^/]*)$/, '/x/../$1'),
  (path) => path.replace(/\/([^/]*)$/, '/x/%2e%2e/$1'),
  (path) => path.replace(/\.dat$/, '%2Edat'),
  (path) => `${path}/`,
  folderOf,
  (path) => `${folderOf(path)}/`,
  (path) => folderOf(folderOf(path)),
  () => '/',
  () => '',
  () => '/data/h/own.dat',
];

const evilNames = ['../../../data/v0/v0.dat', './h0', 'h0/', 'h/../../h1', 'h//h1', '..', 'a\nb'];

const pfn = (path: string) => `davs://${hostOf(openRse)}:443${path}`;

/** The request that carries out an action, as whom. */
export function requestOfHostile(action: Exclude<HostileAction, { kind: 'withdraw' }>): readonly ClientRequest[] {
  switch (action.kind) {
    case 'alias':
    case 'name': {
      const file = { scope: strangerScope, name: action.name };
      const path = action.kind === 'alias' ? action.path : `/data/h/${encodeURIComponent(action.name)}`;
      return [registration({ ...file, ...describeFile(file), pfn: pfn(path) })];
    }
    case 'purge': {
      const dids = [{ scope: strangerScope, name: action.name }];
      const wish = { dids, account: stranger, copies: 1, rse_expression: openRse, lifetime: 1, purge_replicas: true };
      return [{ method: 'POST', path: '/rules/', body: wish }];
    }
    case 'claim': {
      const { file, bytes } = action;
      return [registration({ ...file, ...describeFile(file), bytes, pfn: pfn(`/data/claims/${file.name}`) })];
    }
    case 'keep':
      return [registration({ ...action.file, ...describeFile(action.file) }, action.rse)];
    case 'want':
      return [ruleOf(action.file)];
    case 'publish': {
      const { file } = action;
      return [registration({ ...file, ...describeFile(file), pfn: pfn(victimPath(file)) }), ruleOf(file)];
    }
  }
}

const registration = (file: object, rse: string = openRse): ClientRequest => ({
  method: 'POST',
  path: '/replicas',
  body: { rse, files: [file] },
});

/** The request of another for a rule on a file, where anybody may register replicas. */
const ruleOf = (file: FileName): ClientRequest => ({
  method: 'POST',
  path: '/rules/',
  body: { dids: [file], account: 'root', copies: 1, rse_expression: openRse },
});
