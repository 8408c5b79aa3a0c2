import { optionsPerSection, times, type Catalogue } from './catalogue.ts';
import type { LoadRequest } from './client.ts';
import { post } from './requests.ts';
import { makeStep, type SeedPhase } from './seed-steps.ts';

const domains = {
  lan: { read: 1, write: 1, delete: 1 },
  wan: { read: 1, write: 1, delete: 1, third_party_copy_read: 1, third_party_copy_write: 1 },
};

/** Scopes, RSEs, subscriptions and configuration. */
export function listFleetPhases(catalogue: Catalogue, account: string): SeedPhase[] {
  const { size, scopes } = catalogue;
  return [
    {
      name: 'scopes',
      steps: scopes.map((scope) => makeStep(`scope ${scope}`, post(`/accounts/${account}/scopes/${scope}`))),
    },
    ...listRsePhases(catalogue),
    {
      name: 'subscriptions',
      isSerial: true,
      steps: times(size.subscriptions, (index) => {
        const path = `/subscriptions/${account}/${catalogue.subscription(index)}`;
        return makeStep(`subscription ${index}`, post(path, subscriptionOf(size.id, index)));
      }),
    },
    {
      name: 'config',
      isSerial: true,
      steps: times(size.configSections, (section) => {
        const options = times(optionsPerSection, (option) => [`option${option}`, `value-${section}-${option}`]);
        const body = { [catalogue.configSection(section)]: Object.fromEntries(options) as object };
        return makeStep(`config ${section}`, post('/config', body));
      }),
    },
  ];
}

function listRsePhases(catalogue: Catalogue): SeedPhase[] {
  const { rses } = catalogue.size;
  const path = (rse: number, tail = '') => `/rses/${catalogue.rse(rse)}${tail}`;
  const steps = (key: string, request: (rse: number) => LoadRequest) =>
    times(rses, (rse) => makeStep(`${key} ${rse}`, request(rse)));
  const attributes = Object.keys(attributesOf(catalogue, 0)) as (keyof ReturnType<typeof attributesOf>)[];
  return [
    { name: 'rses', steps: steps('rse', (rse) => post(path(rse), rseOf(catalogue, rse))) },
    {
      name: 'rse attributes',
      steps: attributes.flatMap((key) =>
        steps(`attribute ${key}`, (rse) =>
          post(path(rse, `/attr/${key}`), { value: attributesOf(catalogue, rse)[key] }),
        ),
      ),
    },
    { name: 'rse protocols', steps: steps('protocol', (rse) => post(path(rse, '/protocols/davs'), protocolOf(rse))) },
  ];
}

function rseOf(catalogue: Catalogue, rse: number): object {
  const place = { country_name: catalogue.countryOf(rse), city: `City${rse % 50}` };
  return { ...place, deterministic: true, volatile: false, rse_type: 'DISK', availability: 7 };
}

function attributesOf(catalogue: Catalogue, rse: number) {
  return {
    tier: catalogue.tierOf(rse),
    site: `${catalogue.size.id.toUpperCase()}-SITE${rse}`,
    medium: catalogue.mediumOf(rse),
    region: `R${rse % 5}`,
    freespace: String(100 + rse),
  };
}

function protocolOf(rse: number): object {
  return {
    impl: 'rucio.rse.protocols.webdav.Default',
    hostname: `dav${rse}.load.example`,
    port: 443,
    prefix: '/rucio/disk/',
    domains,
  };
}

/** A subscription whose filter fits no DID of the catalogue. */
function subscriptionOf(id: string, index: number): object {
  const rule = { copies: 1, rse_expression: `tier=${index % 4}`, activity: 'Functional Test', lifetime: 86_400 };
  const options = {
    filter: { project: [`${id}sub${index}`], pattern: 'no-such-name.*' },
    replication_rules: [rule],
    comments: 'load',
    lifetime: null,
    retroactive: false,
    dry_run: false,
    priority: 3,
  };
  return { options };
}
