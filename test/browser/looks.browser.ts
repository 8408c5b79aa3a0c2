import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { projectRoot } from '../../infra/project-root.ts';
import { findOverflow, findViolations, looks } from './support/looks.ts';
import { type OpenPage, screens, visit } from './support/open-page.ts';
import { addMore, findRule, hostileDid } from './support/seeded-server.ts';
import { exampleSite } from './support/site.ts';

const artefacts = join(projectRoot, 'coverage/browser');

const site = exampleSite();
const { call, openLoggedIn } = site;

beforeAll(async () => {
  mkdirSync(artefacts, { recursive: true });
  await addMore(call);
});

const places: readonly (readonly [name: string, place: string | (() => Promise<string>)])[] = [
  ['home', '#/home'],
  ['search', '#/search'],
  ['results', '#/search?q=example:data&f=run_number%3D358031'],
  ['search that finds nothing', '#/search?q=example%3Adata+size+%3E+40+GB&f=flavour%3Dred'],
  ['tree', '#/did/example/spring'],
  ['dataset', '#/did/example/data.358034.AOD'],
  ['replicas', '#/did/example/data.358034.AOD?tab=replicas'],
  ['files of a DID', '#/did/example/data.358034.AOD?tab=get'],
  ['all tasks', '#/do'],
  ['a task', '#/do/delete-did?did=example:data.358034.AOD'],
  ['rules of a DID', '#/did/example/data.358034.AOD?tab=rules'],
  ['metadata', '#/did/example/data.358034.AOD?tab=metadata'],
  ['activity', '#/did/example/data.358034.AOD?tab=activity'],
  ['file', '#/did/example/data.358034.AOD%2Fpart-0001.root'],
  ['hostile', `#/did/${hostileDid.scope}/${encodeURIComponent(hostileDid.name)}?tab=metadata`],
  ['unknown DID', '#/did/example/none'],
  ['rules', '#/rules'],
  ['rule', async () => `#/rule/${await findRule(call, 'STUCK')}`],
  ['rule that copies', async () => `#/rule/${await findRule(call, 'REPLICATING')}`],
  ['new rule', '#/new-rule?did=example:data.AOD&rses=tier%3D1'],
  ['RSEs', '#/rses'],
  ['matrix of distances', '#/rses?tab=distances'],
  ['RSE', '#/rse/CERN_DISK'],
  ['all replicas of an RSE', '#/rse/CERN_DISK?tab=replicas'],
  ['content of an RSE', '#/rse/CERN_DISK?tab=content'],
  ['settings of an RSE', '#/rse/CERN_DISK?tab=settings'],
  ['what may be deleted', '#/rse/LYON_DISK?tab=deletable'],
  ['distances', '#/rse/CERN_DISK?tab=distances'],
  ['subscriptions', '#/subscriptions'],
  ['subscription', '#/subscription/root/second-copies'],
  ['open data', '#/opendata'],
  ['accounts', '#/accounts'],
  ['space by account', '#/accounts?tab=space'],
  ['account', '#/account/root'],
  ['transfers', '#/requests'],
  ['transfers by link', '#/requests?tab=totals'],
  ['history of transfers', '#/requests?tab=history&dst=LYON_TAPE'],
  ['limits of transfers', '#/requests?tab=limits'],
  ['bad replicas', '#/bad'],
  ['events', '#/events'],
  ['configuration', '#/configuration'],
  ['operations', '#/operations'],
  ['no such page', '#/nothing'],
];

describe.each(looks)('on a $screen, $colorScheme', ({ colorScheme, screen }) => {
  let opened: OpenPage;
  beforeAll(async () => {
    opened = await openLoggedIn({ colorScheme, viewport: screens[screen] });
  });
  afterAll(() => opened?.context.close());

  it('the log-in is accessible', async () => {
    const { page, context } = await site.open({ colorScheme, viewport: screens[screen] });
    await page.getByRole('button', { name: 'Log in as root' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });

  it.each(places)('%s is accessible, fits the screen, and breaks no policy', async (name, place) => {
    const { page, faults } = opened;
    await visit(page, typeof place === 'string' ? place : await place());
    await page.screenshot({ path: join(artefacts, `${name.replaceAll(' ', '-')}-${screen}-${colorScheme}.png`) });
    expect(await findViolations(page)).toEqual([]);
    expect(await findOverflow(page), 'pixels beyond the screen').toBe(0);
    expect(faults).toEqual([]);
  });
});
