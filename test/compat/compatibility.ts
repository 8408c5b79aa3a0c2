/** The text of docs/compatibility.md: from the contract, the recorded compat results and the conformance scenarios. */
import { fileURLToPath } from 'node:url';

import { groups } from '../../lib/contract/index.ts';
import type { Route } from '../../lib/contract/route.ts';
import { readFixture } from '../conformance/fixtures.ts';
import { differences as pathDifferences } from '../conformance/paths/differences.ts';
import { scenarios } from '../conformance/scenarios/index.ts';
import type { Scenario } from '../conformance/types.ts';
import { interfaceDocument } from '../contract/interface-document.ts';
import { renderPage, renderRequest, renderTable } from '../support/markdown.ts';
import { readRecording, type Recording, type Subject } from './results.ts';
import { findMissing, readRucioRoutes, shape } from './rucio-routes.ts';
import { versionsSection } from './versions/section.ts';

/** The path of the page. */
export const compatibilityPath = fileURLToPath(new URL('../../docs/compatibility.md', import.meta.url));

/** Renders the page, formatted as by `npm run format`. */
export async function renderCompatibility(): Promise<string> {
  const [methods, commands] = await Promise.all([readRecording('methods'), readRecording('commands')]);
  const differences = await Promise.all(scenarios.map(renderDifferences));
  const sections = [...interfaceSection(), ...(await missingSection()), ...clientSections(methods, commands)];
  sections.push(...(await versionsSection()));
  const page = [introduction(methods), ...sections].concat(
    `## Answers that differ from Rucio's`,
    `Each is a decision: the interface document (interface 4) wins where it is explicit, and a crash of Rucio is not
     copied. "Why" names the section of the [wire reference](spec/README.md).
     \`node test/conformance/check.ts\` compares every other recorded answer of a real
     Rucio (\`test/fixtures/rucio\`); there Dapple may add keys such as \`did_type\`, and counts where Rucio says null.`,
    `Names and paths are stricter than Rucio's patterns, because Dapple deletes and copies files by them. A new DID or scope is refused
     if its path would have a segment \`.\` or \`..\`, an empty segment, one such as \`.dapple-*.part\`, under which movers write, or a slash at the end (dids 4.1). A PFN or a path of a replica
     is also refused if an escape in it means any of these, or if it has a control character, a backslash, \`;\`, a broken escape, or a
     blank at the end of a segment (dids 2.6). The same holds for prefixes and hostnames of protocols (rses 3.2).`,
    `An upload to a replica whose file is being deleted (\`POST /replicas\`, \`PUT /replicas\` with A or C) is answered with
     503 until the deletion is over: before that, nobody knows whether the old or the new file is there. A replica of a file that exists can only
     be registered by an account that answers for the file (replication 6.2).`,
    `A local server whose disk is nearly full answers requests that store something 503 ResourceTemporaryUnavailable, with a message
     that names the disk, so that what frees space goes on ([operations](operations.md)).`,
    `JSON has the same blanks as Rucio's (\`"bytes": 10\`), since some programs search its text for them. They cost 7 to 11 % of the bytes
     of an answer without gzip, none with gzip, and 0.2 to 0.3 ms for 1,000 rows ([ADR 0024](adr/0024-form-of-json.md)).`,
    `Limits of accounts also hold if several rules are made at the same time, and all copies of one rule count against a limit on an
     expression (replication 3.2). On an RSE whose reaper frees space by the catalogue's own usage, a registered file has to fit into the
     free space of the storage and into the quota of the account that registers it. If the path of a copy belongs to another file, the copy is
     not made, and its rule is STUCK.`,
    `There are two ways to evaluate the expression of an existing rule again, with the present RSEs and their attributes: the option
     \`evaluate\` of \`PUT /rules/{rule_id}\`, and a move to the expression that the rule already has, which Rucio refuses as DuplicateRule
     (replication 2.8). Both make a new rule with an id of its own; the old rule ends when the new one is OK.`,
    `A list that belongs to one DID is answered with 404 DataIdentifierNotFound if the DID does not exist: dataset replicas, followers, the
     content of archives, the history of rules. Rucio answers an empty list, although its code has an error for most of these cases.
     Dapple answers an empty list where Rucio's clients rely on it: for the replicas of files (replication 1.4, 1.5), and for lists of
     many DIDs.`,
    `\`POST /replicas\` refuses a known file with another size or checksum (412 FileConsistencyMismatch), as an attachment does. Rucio
     accepts it, and every download of the listed replica then fails (replication 1.2).`,
    `The replicas of a collection include archives that contain its files, as the replicas of a single file do. Rucio leaves out files of a dataset
     that exist only in archives (replication 1.4). A redirect, and the metalink beside it, name no RSE that is closed for reading
     (replication 1.11).`,
    `The order \`custom_table\` sorts by the distances in the section \`custom_distance\` of the configuration, which has an option for each
     site. Rucio downloads a file with these distances (replication 1.4).`,
    '### Paths',
    `The answers to some 600 spellings of paths (\`test/fixtures/rucio/paths.json\`) are the same as Rucio's, with these exceptions:`,
    pathDifferences.map(({ reason }) => `- ${reason}`).join('\n'),
    ...differences.flat(),
  );
  return renderPage('compatibility.md', page);
}

function introduction({ client }: Recording): string {
  return `# Compatibility

    What of the Rucio interface Dapple serves, what the official clients (${client}) can do with it, and where its answers
    differ from Rucio's. Generated by \`npm run docs -- compatibility\`; the results of the clients by \`npm run test:compat\`
    and \`npm run test:compat:versions\`.`;
}

function interfaceSection(): string[] {
  const routes = groups.flatMap((group) => Object.entries<Route>(group.routes));
  const find = (method: string, path: string) =>
    routes.find(([, route]) => route.method === method && shape(route.path) === shape(path));
  const rows = interfaceDocument.map(({ method, path }) => {
    const [operation, route] = find(method, path) ?? [];
    return [code(`${method} ${path}`), operation === undefined ? 'not yet' : code(operation), route?.summary ?? ''];
  });
  const documented = new Set(interfaceDocument.map(({ method, path }) => find(method, path)?.[0]));
  const others = routes.filter(([operation]) => !documented.has(operation));
  const served = rows.filter(([, operation]) => operation !== 'not yet').length;
  return [
    '## Endpoints of the interface document (interface 4)',
    `${served} of ${rows.length} are served.`,
    renderTable(['Endpoint', 'Operation', 'What it does'], rows),
    '## Further endpoints of Rucio',
    'Rucio serves them, most of them for its own clients.',
    renderTable(
      ['Endpoint', 'Operation', 'What it does'],
      others.filter(([, { isExtension }]) => isExtension !== true).map(routeRow),
    ),
    '## Endpoints that Rucio lacks',
    `Extensions of Dapple (\`isExtension\` in \`lib/contract\`).`,
    renderTable(
      ['Endpoint', 'Operation', 'What it does'],
      others.filter(([, { isExtension }]) => isExtension === true).map(routeRow),
    ),
  ];
}

async function missingSection(): Promise<string[]> {
  const rucio = await readRucioRoutes();
  const missing = findMissing(rucio);
  return [
    '## Endpoints of Rucio that Dapple does not serve',
    `${missing.length} of the ${rucio.length} routes of Rucio 41, with all its modules switched on:`,
    renderTable(
      ['Endpoint', 'Why'],
      missing.map(({ request, why }) => [code(request), why]),
    ),
  ];
}

const routeRow = ([operation, route]: [string, Route]) => [renderRequest(route), code(operation), route.summary];

function clientSections(methods: Recording, commands: Recording): string[] {
  return [
    '## Client library',
    count('method', methods.subjects),
    renderTable(['Method', 'Result', 'Cases'], methods.subjects.map(subjectRow)),
    ...withoutCases('Clients', methods.others, ''),
    '## Command line',
    count('command', commands.subjects),
    renderTable(
      ['Command', 'Result', 'Cases'],
      commands.subjects.map((subject) => subjectRow({ ...subject, name: `rucio ${subject.name}` })),
    ),
    ...withoutCases('Commands', commands.others, 'rucio '),
  ];
}

function withoutCases(what: string, others: Recording['others'], prefix: string): string[] {
  if (others.length === 0) return [];
  const rows = others.map(({ name, why }) => [code(prefix + name), why]);
  return [`${what} without cases:`, renderTable(['Name', 'Why'], rows)];
}

function count(what: string, subjects: readonly Subject[]): string {
  const works = subjects.filter(({ status }) => status === 'works' || status === 'differs').length;
  const differ = subjects.filter(({ status }) => status === 'differs').length;
  const differing = differ === 0 ? '' : `, ${differ} of them with a deliberate difference`;
  return `${works} of ${subjects.length} ${what}s work${differing}.`;
}

function subjectRow({ name, status, note, rules }: Subject): string[] {
  return [code(name), note === undefined ? status : `${status}: ${note}`, rules.map(({ rule }) => rule).join('; ')];
}

async function renderDifferences(scenario: Scenario): Promise<string[]> {
  const recorded = await readFixture(scenario);
  const rows = scenario.steps.flatMap(({ name, method, path, differs }) => {
    if (differs === undefined) return [];
    const rucio = recorded.get(name)?.answer;
    const theirs = rucio === undefined ? 'not recorded' : answer(rucio.status, rucio.exceptionClass);
    return [[name, code(`${method} ${path}`), theirs, answer(differs.status, differs.exceptionClass), differs.why]];
  });
  return rows.length === 0
    ? []
    : [`### ${scenario.name}`, renderTable(['Case', 'Request', 'Rucio', 'Dapple', 'Why'], rows)];
}

function answer(status: number, exceptionClass: string | undefined): string {
  return exceptionClass === undefined ? String(status) : `${status} ${exceptionClass}`;
}

function code(text: string): string {
  return `\`${text}\``;
}
