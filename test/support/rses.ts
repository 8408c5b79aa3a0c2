import { asRoot, expectCreated, uniqueName } from './server.ts';

/** A new RSE with its id. */
export async function newRse(body?: unknown): Promise<{ name: string; id: string }> {
  const name = uniqueName('rse').toUpperCase();
  expectCreated(await asRoot().post(`/rses/${name}`, body));
  const { id } = (await asRoot().get(`/rses/${name}`)).json() as { id: string };
  return { name, id };
}
