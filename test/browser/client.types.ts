import { apiUrl, getJson, getLines, getPage, path, postJson, postLines, send } from '../../browser/src/api/client.ts';
/**
 * Mistakes that the compiler must find in a page of the browser, since its client is typed by the contract. Never run:
 * `tsc -p test/browser` fails where one of these lines has no error any more.
 */
import type { QueryAt } from '../../browser/src/api/contract.ts';

const did = { scope: 'beam', name: 'data' };

/** Paths. */
export async function misspellPaths(): Promise<void> {
  // @ts-expect-error No route has this path.
  await getJson('/rule');
  // @ts-expect-error A path with parameters has to be filled in.
  await getJson('/rules/:rule_id');
  // @ts-expect-error The parameter has another name.
  await getJson(path('/rules/:rule_id', { id: '1' }));
  // @ts-expect-error A DID is one parameter.
  await getJson(path('/dids/**:scope_name', { scope: 'beam', name: 'data' }));
  // @ts-expect-error The route has no such method.
  await send('PUT', '/rules');
  // @ts-expect-error Also the addresses of requests outside of the client are those of routes.
  apiUrl('/auth/userpas');
}

/** Queries. */
export async function misspellQueries(): Promise<void> {
  // @ts-expect-error The list has no such filter.
  await getPage('/rules', 10, undefined, { query: { acount: 'root' } });
  const filters = { account: 'root', rse: 'DISK' };
  // @ts-expect-error Nor has it one of these, although they are in a variable.
  await getPage('/rules', 10, undefined, { query: filters });
  // @ts-expect-error No rule has this state.
  await getPage('/rules', 10, undefined, { query: { state: 'FINE' } });
  const query: QueryAt<'GET', '/events'> = { subject: 'beam:data' };
  // @ts-expect-error There is no such type of events.
  apiUrl('/events', { ...query, type: 'UPDATE_RULES' } satisfies QueryAt<'GET', '/events'>);
  await getPage('/rules', 10, undefined, { query: { state: 'STUCK', account: 'root' } });
}

/** Bodies. */
export async function misspellBodies(): Promise<void> {
  // @ts-expect-error A rule needs a number of copies.
  await postJson('/rules', { body: { dids: [did], account: 'root', rse_expression: 'DISK' } });
  const body = { dids: [did], account: 'root', copies: 1, rse_expression: 'DISK', coment: 'none' };
  // @ts-expect-error A rule has no such option, although it is in a variable.
  await postJson('/rules', { body });
  const bodies = { body: { [did.scope]: { [did.name]: 'x' } } };
  await send('POST', '/config', bodies);
}

/** Answers. */
export async function misspellAnswers(): Promise<void> {
  const rule = await getJson(path('/rules/:rule_id', { rule_id: '1' }));
  // @ts-expect-error A rule has no such field.
  rule.locks_ok_count.toFixed();
  const { rows } = await getPage(path('/dids/**:scope_name/files', { did }), 10, undefined);
  // @ts-expect-error A file has no such field.
  rows[0]?.size.toFixed();
  const replicas = await postLines('/replicas/list', { body: { dids: [did] } });
  // @ts-expect-error The PFNs of a replica are by their names, its RSEs by theirs.
  replicas[0]?.rses.length.toFixed();
  const body = { dids: [did], account: 'root', copies: 1, rse_expression: 'DISK' };
  const [id] = await postJson('/rules', { body });
  // @ts-expect-error The ids of rules are texts.
  id?.toFixed();
  const usage = await getLines(path('/rses/:rse/usage', { rse: 'DISK' }));
  // @ts-expect-error The name of the RSE is no number.
  usage[0]?.rse.toFixed();
}
