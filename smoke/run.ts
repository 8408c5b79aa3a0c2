import { Deployment } from './deployment.ts';
import { Trouble } from './http/answer.ts';
import { emptyAdvice, failed, type Finding, type Line, skipped } from './line.ts';
import { lines } from './lines.ts';
import { ping } from './lines/arrive.ts';
import { logIn } from './lines/log-in.ts';
import { cleanUp, prepare } from './lines/prepare.ts';
import type { SmokeOptions } from './options.ts';
import type { Made } from './own-things.ts';
import { tell, type Told } from './report.ts';

/**
 * Tries a deployment line by line.
 *
 * @param hear Gets each line when it has ended.
 * @param stop Ends the run after the present line; what was made is deleted nevertheless.
 * @param made Objects of another run, which are used and left as they are.
 */
export async function runLines(
  options: SmokeOptions,
  hear: (told: Told) => void,
  stop: AbortSignal = new AbortController().signal,
  made?: Made,
): Promise<Told[]> {
  const tried = chosen(options.only);
  const deployment = new Deployment(
    options,
    tried.some(({ needs }) => needs === 'files'),
    made,
  );
  const all: Told[] = [];
  let isPrepared = false;
  let unreachable: string | undefined;
  for (const line of tried) {
    const start = performance.now();
    const obstacle: string | undefined =
      unreachable ??
      (stop.aborted && line !== cleanUp ? 'stopped' : undefined) ??
      (line.needs !== undefined && deployment.token === undefined ? 'there is no token (log-in)' : undefined) ??
      (usesThings(line) && !isPrepared ? 'its data could not be made (prepare)' : undefined);
    const finding: Finding = obstacle === undefined ? await runLine(line, deployment) : skipped(obstacle);
    if (line === prepare) isPrepared = finding.result === 'ok';
    if (isUnreachable(finding)) unreachable = 'the address cannot be reached';
    const told = tell(line, finding, (performance.now() - start) / 1000);
    all.push(told);
    hear(told);
  }
  deployment.http.close();
  return all;
}

async function runLine(line: Line, deployment: Deployment): Promise<Finding> {
  try {
    return await line.run(deployment);
  } catch (error) {
    if (error instanceof Trouble && error.kind === 'unreachable') return failed(error.message, unreachableAdvice);
    if (error instanceof Trouble && error.kind === 'open' && !error.hasBytes && line.name !== 'head')
      return failed(error.message, emptyAdvice);
    return failed(error instanceof Error ? error.message : String(error));
  }
}

const unreachableAdvice =
  'Check host and port of --url, whether the server runs, and whether this machine may connect to it (DNS, firewall, proxy, VPN).';
const isUnreachable = (finding: Finding) => finding.result === 'failed' && finding.advice === unreachableAdvice;

const usesThings = ({ needs }: Line) => needs === 'things' || needs === 'files';

/** The lines that were asked for, with those that they need. */
function chosen(only: readonly string[]): readonly Line[] {
  if (only.length === 0) return lines;
  const unknown = only.filter((name) => !lines.some((line) => line.name === name));
  if (unknown.length > 0)
    throw new Error(
      `--only ${unknown.join(', ')}: no such line. There are ${lines.map(({ name }) => name).join(', ')}`,
    );
  const wanted = lines.filter(({ name }) => only.includes(name));
  const needed = new Set<Line>([ping, logIn, ...wanted]);
  if (wanted.some(usesThings)) needed.add(prepare).add(cleanUp);
  return lines.filter((line) => needed.has(line));
}
