import type { Deployment } from '../deployment.ts';
import type { Answer } from '../http/answer.ts';
import { all, failed, type Finding, type Line, ok, readLogs } from '../line.ts';
import { Refusal, scope } from '../own-things.ts';
import { json, jsonLines } from '../read.ts';
import { say } from '../words.ts';

const decoded =
  'Something in front of the deployment changes the path. Let it pass as it was sent (nginx: proxy_pass without a path behind the ' +
  'host; SAM decodes it by itself, AWS does not).';
const blocked =
  'A rule of the web ACL blocks ordinary names of files. Let it only count (infra/web-acl.ts), or deploy without webAcl.';

/** Whether names arrive as they were sent. */
export const names: Line = {
  name: 'names',
  tries: 'names with / and %2F, .log and .ini, and a list whose next page is followed by its Link',
  advice: decoded,
  needs: 'files',
  async run(deployment) {
    const { things } = deployment;
    const slashed = things.nameOf('/with/slash.log');
    const initial = things.nameOf('.ini');
    try {
      await things.makeDataset(slashed);
      await things.makeDataset(initial);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return failed(error.message, error.status === 403 ? blocked : decoded);
    }
    const searched = `/dids/${scope}/dids/search?name=${encodeURIComponent(things.nameOf('.ini'))}&type=all`;
    return all([
      await shows(deployment, slashed, encodeURIComponent(slashed)),
      await shows(deployment, slashed, slashed),
      await shows(deployment, initial, initial),
      await finds(deployment, searched, initial),
      await pages(deployment),
    ]);
  },
};

/** Whether names that are not allowed are refused, and never a failure. */
export const oddNames: Line = {
  name: 'odd-names',
  tries: 'names with //, +, a blank, letters of other scripts and a slash at the end are refused, not failures',
  advice: readLogs,
  needs: 'things',
  async run(deployment) {
    const { things } = deployment;
    const parts: Finding[] = [];
    for (const odd of [
      '//a',
      '+a',
      '%2Ba',
      '%20a',
      '%C3%A9',
      '%E6%97%A5',
      '%F0%9F%9A%80',
      '/',
      '%2F',
      '%25',
      '%3Fa',
      '%23a',
    ]) {
      const path = `/dids/${scope}/${things.dataset}${odd}`;
      const read = await deployment.call({ method: 'GET', path });
      const made = await deployment.call({ method: 'POST', path, json: { type: 'DATASET', lifetime: -1 } });
      parts.push(refused(`GET ${path}`, read, [404]), refused(`POST ${path}`, made, [400, 409]));
    }
    const finding = all(parts);
    return finding.result === 'failed' ? finding : ok('all refused, as Rucio refuses them');
  },
};

function refused(what: string, answer: Answer, statuses: readonly number[]): Finding {
  const came = `${what}: ${say(answer)}`;
  if (statuses.includes(answer.status) && answer.headers['exceptionclass'] !== undefined) return ok(came);
  return answer.status >= 500 ? failed(came, readLogs) : failed(came, answer.status === 403 ? blocked : decoded);
}

async function shows(deployment: Deployment, name: string, sent: string): Promise<Finding> {
  const answer = await deployment.call({ method: 'GET', path: `/dids/${scope}/${sent}` });
  const came = `${sent.slice(sent.search(/[/%.]/))}: ${say(answer)}`;
  const { name: shown } = (json(answer) ?? {}) as { name?: unknown };
  if (answer.status === 200 && shown === name) return ok(came);
  return failed(came, answer.status === 403 ? blocked : decoded);
}

async function finds(deployment: Deployment, path: string, name: string): Promise<Finding> {
  const answer = await deployment.call({ method: 'GET', path });
  const came = `a search for it: ${say(answer)}`;
  if (answer.status === 200 && jsonLines(answer)?.[0] === name) return ok(came);
  return failed(came, answer.status === 403 ? blocked : readLogs);
}

/** Follows the link to the next page, which must begin with the URL of the deployment. */
async function pages(deployment: Deployment): Promise<Finding> {
  const { url } = deployment.options;
  const first = await deployment.call({
    method: 'GET',
    path: `/dids/${scope}/${deployment.things.dataset}/files?limit=600`,
  });
  const link = /<([^>]+)>; *rel="?next/.exec(first.headers['link'] ?? '')?.[1];
  if (first.status !== 200 || link === undefined)
    return failed(`a list in pages: ${say(first)}, without a Link to the next`, readLogs);
  const next = URL.parse(link, url.href);
  const root = url.pathname.replace(/\/$/, '');
  if (next === null || next.host !== url.host || !next.pathname.startsWith(`${root}/`))
    return failed(
      `the Link to the next page leads to ${link.slice(0, 100)} and not to ${url.href}`,
      'The gateway does not tell the functions host and path of this URL: forward the header Host, and the path unchanged.',
    );
  const second = await deployment.call({ method: 'GET', path: next.pathname.slice(root.length) + next.search });
  const rows = (jsonLines(first)?.length ?? 0) + (jsonLines(second)?.length ?? 0);
  const came = `two pages: ${say(second)}, ${rows} rows`;
  return second.status === 200 && rows === deployment.things.files.length ? ok(came) : failed(came, readLogs);
}
