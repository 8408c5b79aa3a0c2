import type { ServiceModule } from './bundle.ts';
import { type Content, contentOf, type FileName, pathOf } from './content.ts';
import { ruleRses } from './names.ts';
import type { Scheduler } from './scheduler.ts';
import type { Removal, SimulatedStorage } from './storage.ts';

/** A replica whose state has changed since may have been marked when the request was sent. */
const flightMs = 10_000;

/** So long a reaper may go on that was switched off. */
const stopMs = 30_000;

/** States that a replica may have while its file is deleted. */
const beingDeleted = 'B';

/** The deployment that is watched. */
interface Watched {
  readonly storage: SimulatedStorage;
  readonly scheduler: Scheduler;
  /** Invokes an instance without faults. */
  withoutFaults<T>(work: (service: ServiceModule) => Promise<T>): Promise<T>;
}

/** Compares what lies on the storages with what the catalogue says, at each deletion and at the end. */
export class StorageWatch {
  readonly flaws: string[] = [];
  readonly #deployment: Watched;
  /** Files that clients have uploaded. The reaper may delete such a file while it is uploaded, as Rucio's does. */
  readonly #uploaded = new Set<string>();

  /** Since when nobody may delete from an RSE, as an operator knows. */
  readonly #closedSince = new Map<string, number>();
  /** The files that clients have put where they chose. */
  readonly #places = new Map<string, FileName>();

  constructor(deployment: Watched) {
    this.#deployment = deployment;
    deployment.storage.onRemoval = (removal) => this.#judge(removal);
  }

  /** A client puts a file where it chooses, and will say so. */
  place(rse: string, path: string, file: FileName): void {
    this.#places.set(`${rse} ${path}`, file);
    this.#deployment.storage.put({ rse, path }, contentOf(file));
  }

  /** A client uploads a file, and will say so. */
  upload(rse: string, file: FileName): void {
    if (!(ruleRses as readonly string[]).includes(rse)) return;
    this.#uploaded.add(keyOf(rse, file));
    this.#deployment.storage.upload(rse, file);
  }

  /** An operator has switched deletions at an RSE off, or is about to switch them on. */
  noteSwitch(rse: string, isOn: boolean): void {
    if (isOn) this.#closedSince.delete(rse);
    else this.#closedSince.set(rse, this.#closedSince.get(rse) ?? this.#deployment.scheduler.now);
  }

  /** A client has declared files bad: if they are, that is known now. */
  noteDeclared(rse: string, files: readonly FileName[]): void {
    for (const file of files) {
      const content = this.#deployment.storage.read({ rse, path: pathOf(file) });
      if (content !== undefined) content.isExcused = false;
    }
  }

  /** Replicas that are said to be there, and whose files are not there, or are something else. */
  async findLost(scopes: readonly string[]): Promise<string[]> {
    const present = await this.#deployment.withoutFaults((service) => service.listPresent(scopes));
    return present.flatMap(({ rse, path, isLocked, ...file }) => {
      if ((ruleRses as readonly string[]).includes(rse)) return this.#flawsAt(rse, pathOf(file), file, isLocked);
      // A false claim that a file is somewhere harms nobody, as long as no rule rests on it.
      return path !== undefined && isLocked ? this.#flawsAt(rse, rootedPath(path), file, isLocked) : [];
    });
  }

  #flawsAt(rse: string, path: string, file: FileName, isLocked: boolean): string[] {
    const key = keyOf(rse, file);
    const content = this.#deployment.storage.read({ rse, path });
    const what = `${key} is said to be there${isLocked ? ' and locked' : ''}`;
    if (content === undefined) return this.#uploaded.has(key) ? [] : [`${what}, and its file is gone`];
    return isRight(content, file) ? [] : [`${what}, and its file is ${describe(content)}`];
  }

  /** The catalogue must have given up a file that goes. */
  async #judge({ rse, path, content, by }: Removal): Promise<void> {
    if (content.isWrong) return;
    const at = content.of.indexOf(':');
    const file = { scope: content.of.slice(0, at), name: content.of.slice(at + 1) };
    if ((this.#closedSince.get(rse) ?? Infinity) < this.#deployment.scheduler.now - stopMs && by.startsWith('DELETE')) {
      this.flaws.push(`${by} took ${keyOf(rse, file)} long after deletions at the RSE were switched off`);
    }
    const isPlaced = this.#places.has(`${rse} ${path}`);
    if (path !== pathOf(file) && !isPlaced) return;
    const { now } = this.#deployment.scheduler;
    const replica = await this.#deployment.withoutFaults((service) => service.findReplica(file, rse));
    const isLast = isPlaced && !this.#deployment.storage.hasOther({ rse, path }, content.of);
    if (isLast && replica !== undefined && replica.locksAnywhere > 0)
      this.flaws.push(`${by} took the last copy of ${content.of}, which has ${replica.locksAnywhere} locks, at ${now}`);
    if (replica === undefined || replica.state === beingDeleted || replica.changedAt > now - flightMs) return;
    this.flaws.push(
      `${by} took ${keyOf(rse, file)}, whose replica is ${replica.state} and has ${replica.locks} locks, at ${now}`,
    );
  }
}

const rootedPath = (path: string) => `/${path}`.replaceAll(/\/{2,}/g, '/');

const keyOf = (rse: string, { scope, name }: FileName) => `${rse} ${scope}:${name}`;

const isRight = ({ of, isWrong, isExcused }: Content, { scope, name }: FileName) =>
  isExcused || (!isWrong && of === `${scope}:${name}`);

const describe = ({ of, isWrong }: Content) => (isWrong ? `something else than ${of}` : `that of ${of}`);
