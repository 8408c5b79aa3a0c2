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
  readonly #due = new Map<JobPlan, number>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: JobOptions) {
    this.#options = options;
    this.#state = new JobState(options.dataDir);
    const now = Date.now();
    // A job that was due while the server was off is due now; one that never ran has missed nothing.
    for (const plan of options.plans) this.#due.set(plan, plan.nextAfter(this.#state.get(plan.name)?.startedAt ?? now));
  }

  /** Begins to look what is due. */
  start(): void {
    for (const [plan, due] of this.#due) {
      this.#options.say(`job ${plan.name}: next at ${new Date(Math.max(due, Date.now())).toISOString()}`);
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
    for (const [plan, due] of this.#due) {
      if (due > Date.now() || this.#stopping.signal.aborted) continue;
      await this.#run(plan);
      this.#due.set(plan, plan.nextAfter(Date.now()));
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
