import { getJson, path } from '../api/client.ts';
import { splitDid } from '../format.ts';
import { findOwnRules } from '../own-rules.ts';
import { placeUrl } from '../router.ts';

/** Where a text leads: to the DID, rule or RSE of this name, otherwise to a search in all scopes. */
export async function findPlace(text: string): Promise<string> {
  if (/^[0-9a-f]{32}$/i.test(text)) return placeUrl(['rule', text.toLowerCase()]);
  const did = splitDid(text);
  if (did !== undefined && !/[*%\s]/.test(text)) return placeUrl(['did', did.scope, did.name]);
  const [rule, other] = await findOwnRules(text).catch(() => []);
  if (rule !== undefined && other === undefined) return placeUrl(['rule', rule.id]);
  const isRse = /^[\w-]+$/.test(text) && (await isThere(text));
  return isRse ? placeUrl(['rse', text]) : placeUrl(['search'], { q: text });
}

/** Whether there is an RSE of this name. */
async function isThere(rse: string): Promise<boolean> {
  return getJson(path('/rses/:rse', { rse })).then(
    () => true,
    () => false,
  );
}
