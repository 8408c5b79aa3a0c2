import type { DidType } from '../lib/contract/schemas/did.ts';
import { listDids } from '../moving/compare/parts/dids.ts';
import type { Session } from '../moving/compare/session.ts';
import type { JudgedCatalogue } from './judge-catalogue.ts';

/** What a policy judges of the catalogue of a server, a Dapple or a Rucio. Lists all of it over REST. */
export function judgedServer(session: Session): JudgedCatalogue {
  const segment = encodeURIComponent;
  const scopes = async () => (await session.json('/scopes/')) as readonly string[];
  return {
    accounts: async function* () {
      for await (const { account } of session.stream('/accounts/')) yield String(account);
    },
    scopes: async function* () {
      yield* await scopes();
    },
    rses: async function* () {
      for (const { rse } of await session.rows('GET', '/rses/')) {
        const name = segment(String(rse));
        const [settings, attributes] = await Promise.all([
          session.json(`/rses/${name}`),
          session.json(`/rses/${name}/attr/`),
        ]);
        const { deterministic } = settings as { readonly deterministic: boolean };
        yield { rse: String(rse), deterministic, attributes: attributes as Record<string, string> };
      }
    },
    rest: async function* () {
      for (const scope of await scopes()) {
        for await (const { name, type } of listDids(session, scope))
          yield { did: { scope, name, type: type as DidType } };
      }
      for await (const row of session.stream('/rules/')) {
        const { id, activity } = row as { readonly id: string; readonly activity: string | null };
        yield { rule: { id, activity: activity ?? undefined } };
      }
    },
  };
}
