import type { Call } from '../call.ts';
import type { Deployment } from '../deployment.ts';
import type { Http1 } from '../http/http1.ts';
import { all, emptyAdvice, failed, type Finding, type Line, ok, readLogs } from '../line.ts';
import { scope } from '../own-things.ts';
import { milliseconds, say } from '../words.ts';

/** An answer with more than a line feed has content. */
const isEmpty = (body: Buffer) => body.toString().trim() === '';

/**
 * Sends a request whose answer has no content, then another one over the same connection: what the first left open or
 * unread would spoil it.
 */
async function emptyThenNext(
  deployment: Deployment,
  connection: Http1,
  call: Call,
  statuses: readonly number[],
): Promise<Finding> {
  const answer = await deployment.call(call, connection);
  const came = `${call.method} ${call.path}: ${say(answer)}`;
  if (!statuses.includes(answer.status))
    return failed(`${came} in place of ${statuses.join(' or ')}`, call.method === 'HEAD' ? undefined : readLogs);
  if (answer.status !== 200 || call.method === 'HEAD' || isEmpty(answer.body)) {
    const openMs = answer.endMs - answer.headMs;
    const next = await deployment.call({ method: 'GET', path: '/ping' }, connection);
    if (next.status !== 200) return failed(`${came}, but the next request over the same connection: ${say(next)}`);
    return ok(`${call.method} ${answer.status}, ended ${milliseconds(openMs)} after its headers`);
  }
  return failed(`${came}, with a body of ${answer.body.length} bytes`);
}

async function overOneConnection(
  deployment: Deployment,
  calls: readonly { readonly call: Call; readonly statuses?: readonly number[] }[],
): Promise<Finding> {
  const connection = deployment.openConnection();
  try {
    const parts: Finding[] = [];
    for (const { call, statuses = [200] } of calls)
      parts.push(await emptyThenNext(deployment, connection, call, statuses));
    return all(parts);
  } finally {
    connection.close();
  }
}

/** Whether changes, most of which are answered without a body, end at once. */
export const emptyWrites: Line = {
  name: 'empty-writes',
  tries:
    'changes that are answered without a body (PUT and DELETE of a DID, a replica, a limit), and the next request after each',
  advice: emptyAdvice,
  needs: 'things',
  async run(deployment) {
    const { things, options } = deployment;
    const name = things.nameOf('.closed');
    await things.makeDataset(name);
    const limit = `/accounts/${options.account}/limits/local/${things.source}`;
    await deployment.call({ method: 'POST', path: limit, json: { bytes: 1 } });
    const [file] = things.files;
    const replica = { rse: things.source, files: [{ ...file, state: 'A' }] };
    return overOneConnection(deployment, [
      { call: { method: 'PUT', path: `/dids/${scope}/${name}/status`, json: { open: false } } },
      { call: { method: 'PUT', path: '/replicas', json: replica } },
      { call: { method: 'DELETE', path: limit } },
    ]);
  },
};

/** Whether lists without a row end at once. */
export const emptyLists: Line = {
  name: 'empty-lists',
  tries: 'lists without a row, and the next request after each',
  advice: emptyAdvice,
  needs: 'things',
  async run(deployment) {
    const { things } = deployment;
    const name = things.nameOf('.empty');
    await things.makeDataset(name);
    return overOneConnection(deployment, [
      { call: { method: 'GET', path: `/dids/${scope}/${name}/files` } },
      { call: { method: 'GET', path: `/dids/${scope}/dids/search?name=${things.nameOf('.none')}&type=all` } },
      { call: { method: 'POST', path: '/replicas/list', json: { dids: [] } } },
    ]);
  },
};

/** Whether HEAD is answered, which browsers, proxies and monitors use. */
export const head: Line = {
  name: 'head',
  tries: 'HEAD of the version, a document and a list, and the next request after each',
  advice: `Something in front of the deployment drops or spoils HEAD: allow HEAD there. If nothing is: ${emptyAdvice}`,
  needs: 'things',
  async run(deployment) {
    const { things } = deployment;
    return overOneConnection(deployment, [
      { call: { method: 'HEAD', path: '/ping' } },
      { call: { method: 'HEAD', path: `/dids/${scope}/${things.small}` } },
      { call: { method: 'HEAD', path: `/dids/${scope}/${things.small}/files` } },
    ]);
  },
};

/** Whether a client that knows the present revision gets an end. */
export const notModified: Line = {
  name: 'not-modified',
  tries: 'If-None-Match with the ETag of a dataset is answered 304, or in full where 304 is not safe',
  advice: emptyAdvice,
  needs: 'things',
  async run(deployment) {
    const { things } = deployment;
    const call = { method: 'GET', path: `/dids/${scope}/${things.small}` };
    const first = await deployment.call(call);
    const tag = first.headers['etag'];
    if (first.status !== 200 || tag === undefined)
      return failed(
        `${say(first)}, without ETag`,
        'Something in front of the deployment removes the header ETag: let it pass.',
      );
    const connection = deployment.openConnection();
    try {
      const answer = await deployment.call({ ...call, headers: { 'If-None-Match': tag } }, connection);
      const next = await deployment.call({ method: 'GET', path: '/ping' }, connection);
      if (next.status !== 200)
        return failed(`${say(answer)}, but the next request over the same connection: ${say(next)}`);
      if (answer.status === 304) return ok(`${say(answer)}, without a body`);
      if (answer.status === 200 && answer.body.equals(first.body)) return ok(`${say(answer)}, in full`);
      return failed(say(answer), readLogs);
    } finally {
      connection.close();
    }
  },
};
