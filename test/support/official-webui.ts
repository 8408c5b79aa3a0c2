/**
 * Calls as the server of the official WebUI (rucio/webui 40.1) sends them, and its parsers: it names the type of what it
 * expects as the Content-Type of its request, reads objects as one JSON document whatever their Content-Type, and reads
 * lists line by line.
 */
import { expect } from 'vitest';

import { type Answer, type Client, loginHeaders, nobody } from './server.ts';

const objectHeaders = { headers: { 'Content-Type': 'application/json' } };
const streamHeaders = { headers: { 'Content-Type': 'application/x-json-stream' } };

/** A JSON object of an answer. */
export type Row = Readonly<Record<string, unknown>>;

/** Logs in as its log-in page does: the account is optional, the VO is that of an installation with one VO. */
export function logInToWebUi(user: Pick<Client, 'username' | 'password'>, account?: string): Promise<Answer> {
  const credentials = { username: user.username, password: user.password };
  const headers = loginHeaders(account === undefined ? credentials : { ...credentials, account });
  return nobody.get('/auth/userpass', { headers: { ...headers, 'X-Rucio-AppID': 'webui', 'X-Rucio-VO': 'def' } });
}

/** Reads one document, as its `BaseEndpoint` does. */
export async function getDocument<Document = Row>(as: Client, path: string): Promise<Document> {
  const answer = await as.get(path, objectHeaders);
  expect(answer.status).toBe(200);
  return answer.json() as Document;
}

/** Reads a list line by line, as its `BaseStreamableEndpoint` does. */
export async function getStream<Line = Row>(as: Client, path: string): Promise<Line[]> {
  return readStream(await as.get(path, streamHeaders));
}

/** Reads the replicas of a DID in every state, as its page of a DID does. */
export async function getReplicas(as: Client, did: { scope: string; name: string }): Promise<Row[]> {
  const body = { dids: [did], all_states: true, ignore_availability: true };
  return readStream(await as.post('/replicas/list', body, streamHeaders));
}

function readStream<Line = Row>(answer: Answer): Line[] {
  expect(answer.status).toBe(200);
  return answer.lines() as Line[];
}

/** Sends a change with a body. */
export function send(as: Client, method: 'post' | 'put', path: string, body: object): Promise<Answer> {
  return as[method](path, body, objectHeaders);
}

/** The time as its filters of rules name it, some days ago. */
export function daysAgo(days: number): string {
  const date = new Date(Date.now() - days * 86_400_000);
  return new URLSearchParams({ at: date.toUTCString().replace('GMT', 'UTC') }).toString().slice('at='.length);
}
