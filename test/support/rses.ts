/** Set-up of the tests of RSEs: RSEs, disabled ones too, and their protocols. */
import { type Answer, asRoot, expectCreated, expectEmpty, uniqueName } from './server.ts';

/** A protocol as `GET /rses/{rse}/protocols` lists it. */
export interface ListedProtocol {
  readonly scheme: string;
  readonly hostname: string;
  readonly port: number;
  readonly domains: Readonly<Record<'lan' | 'wan', Readonly<Record<string, number | null>>>>;
  readonly [key: string]: unknown;
}

/** Creates an RSE and returns its name. */
export async function addRse(body?: unknown): Promise<string> {
  const name = uniqueName('rse').toUpperCase();
  expectCreated(await asRoot().post(`/rses/${name}`, body));
  return name;
}

/** A new RSE with its id. */
export async function newRse(body?: unknown): Promise<{ name: string; id: string }> {
  const name = await addRse(body);
  const { id } = (await asRoot().get(`/rses/${name}`)).json() as { id: string };
  return { name, id };
}

/** A new RSE that was disabled at once. */
export async function newDisabledRse(): Promise<{ name: string; id: string }> {
  const rse = await newRse();
  expectEmpty(await asRoot().delete(`/rses/${rse.name}`));
  return rse;
}

/** Posts a protocol, with an implementation that any scheme may have. */
export function postProtocol(rse: string, scheme: string, body: object = {}): Promise<Answer> {
  const impl = 'rucio.rse.protocols.gfal.Default';
  return asRoot().post(`/rses/${rse}/protocols/${scheme}`, { impl, ...body });
}

/** All protocols of an RSE. */
export async function protocolsOf(rse: string): Promise<ListedProtocol[]> {
  return ((await asRoot().get(`/rses/${rse}/protocols/any`)).json() as { protocols: ListedProtocol[] }).protocols;
}
