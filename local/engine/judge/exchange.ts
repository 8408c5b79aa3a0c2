import { compareAnswers, compareValues, type Difference } from './compare.ts';
import type { Endpoint } from './endpoint.ts';
import { identify, isObject, normaliseAnswer, type NormalAnswer, normaliseValue, sortBy } from './normalise.ts';
import type { Body, JudgedRequest } from './request.ts';

/** Both engines. */
export interface Engines {
  readonly left: Endpoint;
  readonly right: Endpoint;
}

/** The outcome of a request. */
export interface Exchange {
  /** The answers of the first page that differs, or else of the first page. */
  readonly left: NormalAnswer;
  readonly right: NormalAnswer;
  readonly differences: readonly Difference[];
}

/** Sends a request to both engines and compares their answers, page by page if there are several. */
export async function exchange(engines: Engines, request: JudgedRequest): Promise<Exchange> {
  return request.ordered ? comparePages(engines, request) : compareWholes(engines, request);
}

async function comparePages(engines: Engines, { operation, body, pages }: JudgedRequest): Promise<Exchange> {
  let first: Exchange | undefined;
  let startKey: unknown;
  for (let page = 0; page < pages; page += 1) {
    const [left, right] = await askBoth(engines, operation, withStart(body, startKey));
    const answers = { left: normaliseAnswer(left), right: normaliseAnswer(right) };
    const differences = compareAnswers(answers.left, answers.right);
    first ??= { ...answers, differences };
    if (differences.length > 0) return { ...answers, differences };
    startKey = lastKey(right.body);
    if (startKey === undefined) break;
  }
  return first as Exchange;
}

function askBoth({ left, right }: Engines, operation: string, body: Body) {
  return Promise.all([left.send(operation, body), right.send(operation, body)]);
}

function lastKey(body: unknown): unknown {
  return isObject(body) ? body['LastEvaluatedKey'] : undefined;
}

function withStart(body: Body, startKey: unknown): Body {
  return startKey === undefined ? body : { ...body, ExclusiveStartKey: startKey };
}

/** All pages of one engine. */
interface Whole {
  readonly answers: readonly NormalAnswer[];
  readonly items: readonly unknown[];
}

async function compareWholes(engines: Engines, request: JudgedRequest): Promise<Exchange> {
  const [left, right] = await Promise.all([readWhole(engines.left, request), readWhole(engines.right, request)]);
  const answers = { left: left.answers.at(-1) as NormalAnswer, right: right.answers.at(-1) as NormalAnswer };
  if (answers.left.error !== undefined || answers.right.error !== undefined) {
    return { ...answers, differences: compareAnswers(answers.left, answers.right) };
  }
  const limit = request.body['Limit'];
  const differences = compareValues('', summarise(left, limit, right), summarise(right, limit, left));
  return { ...answers, differences };
}

async function readWhole(endpoint: Endpoint, { operation, body, pages }: JudgedRequest): Promise<Whole> {
  const answers: NormalAnswer[] = [];
  const items: unknown[] = [];
  let startKey: unknown;
  for (let page = 0; page < pages; page += 1) {
    const answer = await endpoint.send(operation, withStart(body, startKey));
    answers.push(normaliseAnswer(answer));
    const found = isObject(answer.body) ? answer.body['Items'] : undefined;
    if (Array.isArray(found)) items.push(...found.map(normaliseValue));
    startKey = lastKey(answer.body);
    if (startKey === undefined) break;
  }
  return { answers, items };
}

/** The properties that all pages together must share, in any order of the items. */
function summarise(whole: Whole, limit: unknown, other: Whole): Body {
  const { answers, items } = whole;
  const total = (member: string) => answers.reduce((sum, { body }) => sum + Number(body[member] ?? 0), 0);
  // If pages end at 1 MB, or a filter drops items of each, their ends depend on the order.
  const bothLimited = isLimited(whole, limit) && isLimited(other, limit);
  return {
    Items: sortBy(items, identify),
    Count: total('Count'),
    ScannedCount: total('ScannedCount'),
    ...(bothLimited ? { ScannedCounts: answers.map(({ body }) => body['ScannedCount']) } : {}),
    ...(answers.length === 1 && other.answers.length === 1
      ? { ConsumedCapacity: answers[0]?.body['ConsumedCapacity'] }
      : {}),
  };
}

function isLimited({ answers }: Whole, limit: unknown): boolean {
  return answers.slice(0, -1).every(({ body }) => body['ScannedCount'] === limit);
}
