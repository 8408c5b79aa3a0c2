import { DueTimes } from './due-times.ts';
import { JobState, type JobResult, lastLineOf } from './job-state.ts';
import { notify, type Recipients } from './notify.ts';
import type { JobPlan } from './plan.ts';
import { type Outcome, runCommand } from './run-command.ts';

/** What a command gets from the server that runs it. */
export interface JobHelp {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Called when it has ended. */
  readonly end?: () => Promise<void>;
}

/** How the jobs of a server run. */
export interface JobOptions {
  readonly plans: readonly JobPlan[];
  readonly dataDir: string;
  readonly recipients: Recipients;
  /** Prepares a run of a command. */
  readonly prepare: (command: string) => Promise<JobHelp>;
  readonly say: (line: string) => void;
}

/** The interval at which it is looked what is due. */
const lookMs = 1_000;

/** The jobs of a server, one at a time: none is to slow the others, or requests, down. */
export class Jobs {
  readonly #options: JobOptions;
  readonly #state: JobState;
  readonly #due: DueTimes;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: JobOptions) {
    this.#options = options;
    this.#state = new JobState(options.dataDir);
    this.#due = new DueTimes(options.plans, ({ name }) => this.#state.get(name)?.startedAt, Date.now());
  }

  /** Begins to look what is due. */
  start(): void {
    const { plans, say } = this.#options;
    const now = Date.now();
    for (const plan of plans) {
      say(`job ${plan.name}: next at ${new Date(Math.max(this.#due.next(plan, now), now)).toISOString()}`);
    }
    this.#timer = setInterval(() => {
      this.#running ??= this.#runDue().finally(() => (this.#running = undefined));
    }, lookMs).unref();
  }

  /** Ends what runs, and begins nothing more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#running;
  }

  /** The last results; of a job that has not run yet there is none. */
  get results(): JobResult[] {
    return this.#options.plans.flatMap(({ name }) => this.#state.get(name) ?? []);
  }

  async #runDue(): Promise<void> {
    for (const plan of this.#options.plans) {
      const now = Date.now();
      if (this.#due.next(plan, now) > now || this.#stopping.signal.aborted) continue;
      await this.#run(plan);
      this.#due.done(plan, Date.now());
    }
  }

  async #run(plan: JobPlan): Promise<void> {
    const { recipients, say } = this.#options;
    const { name, command } = plan;
    const startedAt = Date.now();
    const { code, output } = await this.#runCommand(plan);
    // The server was stopped: the job is due again at its next start.
    if (this.#stopping.signal.aborted) return;
    const endedAt = Date.now();
    const wellAt = code === 0 ? endedAt : this.#state.get(name)?.wellAt;
    const result = { name, command, startedAt, endedAt, code, output, ...(wellAt === undefined ? {} : { wellAt }) };
    this.#state.set(result);
    say(
      `job ${name}: ${code === 0 ? 'done' : `ended with ${code}`} after ${Math.ceil((endedAt - startedAt) / 1_000)} s: ${lastLineOf(result)}`,
    );
    if (code !== 0) await notify(recipients, result, say);
  }

  async #runCommand({ command, args }: JobPlan): Promise<Outcome> {
    let help: JobHelp | undefined;
    try {
      help = await this.#options.prepare(command);
      return await runCommand([command, ...help.args, ...args], help.environment, this.#stopping.signal);
    } catch (error) {
      return { code: null, output: String(error) };
    } finally {
      await help?.end?.();
    }
  }
}
