import { type SignService, signServices } from '../../contract/schemas/credentials.ts';
import type { ReplicaLine } from '../../contract/schemas/replica.ts';
import { readOption } from '../../domain/config/read-option.ts';
import { signUrl } from '../../domain/credentials/sign-url.ts';
import { isPermitted } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { log } from '../../log.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';

/**
 * Lines of replicas with signed PFNs, where the RSE has the attribute `sign_url` and the caller may have URLs signed;
 * others get them as they are (spec/replication.md 1.10). The permission is looked up only if there is such a PFN.
 *
 * @param lifetimeSeconds Of the signatures; absent: as configured.
 */
export async function* signPfns(
  context: Context,
  lines: AsyncIterable<ReplicaLine>,
  lifetimeSeconds: number | null | undefined,
): AsyncGenerator<ReplicaLine> {
  const signer = new PfnSigner(context, lifetimeSeconds ?? undefined);
  for await (const line of lines) yield await signer.sign(line);
}

/** Rucio's default. */
const defaultSeconds = 600;

/** Signs the PFNs of a list. Reads the fleet once. */
class PfnSigner {
  readonly #context: Context;
  readonly #wishedSeconds: number | undefined;
  #services: Promise<ReadonlyMap<string, SigningRse>> | undefined;

  constructor(context: Context, wishedSeconds: number | undefined) {
    this.#context = context;
    this.#wishedSeconds = wishedSeconds;
  }

  async sign(line: ReplicaLine): Promise<ReplicaLine> {
    const secure = Object.entries(line.pfns).filter(([pfn]) => pfn.startsWith('https:'));
    if (secure.length === 0) return line;
    const services = await (this.#services ??= this.#findServices());
    const signed = new Map<string, string>();
    for (const [pfn, { rse }] of secure) {
      const found = services.get(rse);
      if (found !== undefined) signed.set(pfn, await this.#signOne(found, pfn));
    }
    if (signed.size === 0) return line;
    const rename = (pfn: string) => signed.get(pfn) ?? pfn;
    return {
      ...line,
      pfns: Object.fromEntries(Object.entries(line.pfns).map(([pfn, entry]) => [rename(pfn), entry])),
      rses: Object.fromEntries(Object.entries(line.rses).map(([id, pfns]) => [id, pfns.map(rename)])),
    };
  }

  /** The RSEs whose URLs the caller gets signed, by name. */
  async #findServices(): Promise<ReadonlyMap<string, SigningRse>> {
    const { byName } = await getFleet(this.#context.store.table);
    const found = [...byName.values()].flatMap((rse): SigningRse[] => {
      const service = signServices.find((known) => known === rse.attributes['sign_url']);
      return service === undefined ? [] : [{ rse, service }];
    });
    const isAllowed = found.length > 0 && (await isPermitted(this.#context, 'get_signed_url', undefined));
    return new Map(isAllowed ? found.map((each) => [each.rse.rse, each]) : []);
  }

  /** One RSE without credentials does not fail the whole list. */
  async #signOne({ rse, service }: SigningRse, url: string): Promise<string> {
    const { store } = this.#context;
    const lifetimeSeconds =
      this.#wishedSeconds ?? (await readOption(store.table, 'credentials', 'signature_lifetime')) ?? defaultSeconds;
    try {
      return await signUrl(rse, { service, operation: 'read', url, lifetimeSeconds });
    } catch (error) {
      log.warn('a PFN cannot be signed', { rse: rse.rse, error: error as Error });
      return url;
    }
  }
}

interface SigningRse {
  readonly rse: Rse;
  readonly service: SignService;
}
