/** The text of docs/permissions.md: each permission is asked about root, an admin and an ordinary account. */
import { fileURLToPath } from 'node:url';

import { groups } from '../../lib/contract/index.ts';
import type { Route } from '../../lib/contract/route.ts';
import { denials } from '../../lib/domain/permission/denials.ts';
import type { Action, Targets } from '../../lib/domain/permission/permission-targets.ts';
import { allows } from '../../lib/domain/permission/rights.ts';
import type { Subject } from '../../lib/domain/permission/subject.ts';
import { renderPage, renderRequest, renderTable } from '../support/markdown.ts';
import { asker, cases } from './permission-cases.ts';

/** The path of the page. */
export const permissionsPath = fileURLToPath(new URL('../../docs/permissions.md', import.meta.url));

const routes = groups.flatMap((group) => Object.values<Route>(group.routes));

/** Renders the page, formatted as by `npm run format`. */
export async function renderPermissions(): Promise<string> {
  const actions = Object.keys(denials) as Action[];
  const rows = await Promise.all(actions.map(askFor));
  return renderPage('permissions.md', [
    '# Who may do what',
    `Generated from \`lib/domain/permission\` and \`lib/contract\` by \`npm run docs -- permissions\`; a test keeps it up to date.
     \`test/security/authorization\` sends every request below as each kind of account.`,
    `- **root** is the account \`root\`.
     - **An admin** has the attribute \`admin\` (\`rucio account attribute add <account> --key admin --value True\`).
     - **An ordinary account** is any other. A scope is its own if it belongs to it
     (\`rucio scope add <scope> --account <account>\`); it has a quota on an RSE after
     \`rucio account limit set <account> --rse <RSE> --bytes 10GB\`, and a country after
     \`rucio account attribute add <account> --key country-ch --value admin\`, for RSEs with the attribute \`country\` = \`ch\`.`,
    `A right that is given holds at once; one that is taken holds for a minute at most. A refusal is 401 \`AccessDenied\` (403 for the
     quarantine of replicas) and names the account and the action.`,
    '## Requests that need a permission',
    '"Other requests" are those that perform the action among other things, such as `PUT /rules/{rule_id}` for an approval.',
    renderTable(
      ['Action', 'Requests', 'root', 'Admins', 'Ordinary accounts'],
      rows.map(({ action, verdicts }) => [`\`${action}\``, requestsOf(action), verdicts].flat()),
    ),
    '## Requests that change something, for every valid token',
    renderTable(
      ['Request', 'What it does'],
      routes.filter((route) => route.permission === 'any' && changes(route)).map(describeRoute),
    ),
    '## Requests that only read, for every valid token',
    'All requests that are in no other table.',
    '## Requests without a token',
    renderTable(
      ['Request', 'What it does'],
      routes.filter(({ permission }) => permission === 'open').map(describeRoute),
    ),
  ]);
}

const changes = ({ method, reads }: Route) => method !== 'GET' && reads !== true;

const describeRoute = (route: Route) => [renderRequest(route), route.summary];

/** Rights of root, admins and ordinary accounts. */
interface Verdicts<A extends Action> {
  readonly action: A;
  readonly verdicts: readonly string[];
}

function requestsOf(action: Action): string {
  const requests = routes.filter(({ permission }) => permission === action).map(renderRequest);
  return requests.join(', ') || 'other requests';
}

async function askFor<A extends Action>(action: A): Promise<Verdicts<A>> {
  const asked = cases[action] ?? [];
  const targets = asked.length === 0 ? [unknownTarget<A>(action)] : asked.map(({ target }) => target);
  const yesOrNo = async (subject: Subject) => {
    const allowed = await Promise.all(targets.map(async (target) => allows(action, subject, target)));
    if (allowed.every(Boolean)) return 'yes';
    return asked.flatMap(({ when }, index) => (allowed[index] === true ? [when] : [])).join('; ') || 'no';
  };
  const admitted = await Promise.all(
    asked.map(async ({ when, target, facts = {} }) =>
      (await allows(action, newSubject(facts), target)) ? [when] : [],
    ),
  );
  const verdicts = [
    await yesOrNo(newSubject({ account: 'root', isRoot: true })),
    await yesOrNo(newSubject({ account: 'carol', has: (attribute) => Promise.resolve(attribute === 'admin') })),
    asked.length === 0 ? await yesOrNo(newSubject({})) : admitted.flat().join('; ') || 'no',
  ];
  return { action, verdicts };
}

function newSubject(facts: Partial<Subject>): Subject {
  return {
    account: asker.account,
    isRoot: false,
    has: () => Promise.resolve(false),
    rolesOf: () => Promise.resolve([]),
    owns: (scope) => Promise.resolve(scope === asker.scope),
    ...facts,
  };
}

/** The target of a permission without cases; a permission that looks at it needs some. */
function unknownTarget<A extends Action>(action: A): Targets[A] {
  return new Proxy({} as Targets[A] & object, {
    get: () => {
      throw new Error(`the permission ${action} looks at its target: add cases to permission-cases.ts`);
    },
  });
}
