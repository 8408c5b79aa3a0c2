/** `rucio rse …` */
import { describe, expect } from 'vitest';

import { newRse } from '../../support/rses.ts';
import { asRoot, uniqueName } from '../../support/server.ts';
import { command, expectFailure, expectLogged, expectPrinted, expectSuccess } from '../support/cases.ts';
import { printedSections } from '../support/client-home.ts';
import { root, user } from '../support/users.ts';

const newName = () => uniqueName('rse').toUpperCase();
const read = async (path: string) => (await asRoot().get(`/rses/${path}`)).json();

/** Declares the cases. */
export function rseCommands(): void {
  describe('RSEs', () => {
    command('rse add', 'creates an RSE; a duplicate and a missing permission fail', async () => {
      const [one, other] = [newName(), newName()];
      // The client prints an object of its own where the name should be.
      expectPrinted(await root.rucio(`rse add ${one}`), /^Added new deterministic RSE: /);
      expectPrinted(await root.rucio(`rse add ${other} --non-deterministic`), /^Added new non-deterministic RSE: /);
      expect(await read(one)).toMatchObject({ rse: one, deterministic: true });
      expect(await read(other)).toMatchObject({ rse: other, deterministic: false });
      expectFailure(await root.rucio(`rse add ${one}`), 1, `RSE '${one}' already exists!`);
      expectFailure(await user.rucio(`rse add ${newName()}`), 2, 'can not add RSE');
    });

    command('rse list', 'lists the names of all RSEs, or of those that an expression chooses', async () => {
      const [{ name: one }, { name: other }] = [await newRse(), await newRse()];
      for (const all of ['rse list', 'rse list --csv']) {
        const names = expectSuccess(await user.rucio(all)).stdout.split('\n');
        expect(names).toEqual(expect.arrayContaining([one, other]));
      }
      expectPrinted(await user.rucio(`rse list --rses (${one}|${other})&rse_type=DISK\\${one}`), other);
      expectFailure(await user.rucio(`rse list --rses ${newName()}`), 1, 'RSE Expression resulted in an empty set.');
    });

    command('rse show', 'prints settings, attributes, protocols, usage and limits; an unknown RSE fails', async () => {
      const { name, id } = await newRse({ city: 'Bari', availability: 5 });
      const protocol = { impl: 'rucio.rse.protocols.webdav.Default', domains: { wan: { read: 1 } } };
      await asRoot().post(`/rses/${name}/protocols/davs`, protocol);
      await asRoot().put(`/rses/${name}/usage`, { source: 'storage', used: 10, free: 90 });
      await asRoot().put(`/rses/${name}/limits`, { name: 'MinFreeSpace', value: 5 });
      const printed = printedSections(expectSuccess(await user.rucio(`rse show ${name}`)));
      expect(printed).toEqual({
        Settings: expect.arrayContaining([`id: ${id}`, 'availability: 5', 'rse_type: DISK', 'lfn2pfn_algorithm: hash']),
        Attributes: [`${name}: True`, 'city: Bari'],
        Protocols: expect.arrayContaining(['davs', 'hostname: localhost', 'port: 0', `impl: ${protocol.impl}`]),
        Usage: expect.arrayContaining(['rucio', 'files: 0', 'storage', 'used: 10', 'free: 90', 'total: 100']),
        'RSE limits': ['MinFreeSpace: 5 B'],
      });
      expectFailure(await user.rucio(`rse show ${newName()}`), 1, 'RSE does not exist.');
    });

    command('rse update', 'changes a setting; one that there is not fails', async () => {
      const { name } = await newRse();
      for (const [key, value] of Object.entries({ availability_write: 'False', city: 'Basel' })) {
        const outcome = await root.rucio(`rse update ${name} --key ${key} --value ${value}`);
        expectPrinted(outcome, `Updated RSE ${name} settings ${key} to ${value}`);
      }
      expect(await read(name)).toMatchObject({ availability: 5 });
      expect(await read(`${name}/attr/`)).toMatchObject({ city: 'Basel' });
      const message = `The key 'colour' does not exist for RSE properties.`;
      expectFailure(await root.rucio(`rse update ${name} --key colour --value red`), 1, message);
    });

    command('rse remove', 'disables an RSE; twice fails', async () => {
      const { name, id } = await newRse();
      expectPrinted(await root.rucio(`rse remove ${name}`), '');
      expectFailure(await root.rucio(`rse remove ${name}`), 1, `RSE with id '${id}' cannot be found`);
      expect((await asRoot().get(`/rses/${name}`)).status).toBe(404);
    });
  });

  describe('attributes of RSEs', () => {
    command('rse attribute set', 'sets an attribute, and sets it anew', async () => {
      const { name } = await newRse();
      for (const value of ['1', 'x']) {
        const outcome = await root.rucio(`rse attribute set ${name} --key tier --value ${value}`);
        expectPrinted(outcome, `Added new RSE attribute for ${name}: tier-${value}`);
        expect(await read(`${name}/attr/`)).toEqual({ [name]: true, tier: value });
      }
    });

    command('rse attribute list', 'lists keys and values', async () => {
      const { name } = await newRse({ city: 'Bari' });
      const { stdout } = expectSuccess(await user.rucio(`rse attribute list ${name}`));
      expect(stdout.trim().split('\n').toSorted()).toEqual([`${name}: True`, 'city: Bari']);
    });

    command('rse attribute unset', 'takes an attribute away; twice fails', async () => {
      const { name } = await newRse({ city: 'Bari' });
      const unset = () => root.rucio(`rse attribute unset ${name} --attribute city`);
      expectPrinted(await unset(), `Deleted RSE attribute for ${name}: city`);
      expect(await read(`${name}/attr/`)).toEqual({ [name]: true });
      expectFailure(await unset(), 1, `RSE attribute 'city' cannot be found`);
    });
  });

  describe('distances between RSEs', () => {
    const pair = async () => [(await newRse()).name, (await newRse()).name] as const;
    const distance = async (source: string, destination: string) => read(`${source}/distances/${destination}`);

    command('rse distance set', 'says how far it is, one way or both ways, and says it anew', async () => {
      const [a, b] = await pair();
      expectPrinted(await root.rucio(`rse distance set ${a} ${b}`), `Set distance from ${a} -> ${b} to 1`);
      expect([await distance(a, b), await distance(b, a)]).toMatchObject([[{ distance: 1 }], []]);
      for (const far of [2, 3]) {
        const outcome = await root.rucio(`rse distance set ${a} ${b} --distance ${far} --bidirectional`);
        expectPrinted(outcome, `Set distances between ${a} <-> ${b} to ${far}`);
        expect([await distance(a, b), await distance(b, a)]).toMatchObject([[{ distance: far }], [{ distance: far }]]);
      }
      expectFailure(await root.rucio(`rse distance set ${a} ${newName()}`), 1, 'RSE does not exist.');
    });

    command('rse distance show', 'prints a distance, or that there is none', async () => {
      const [a, b] = await pair();
      await asRoot().post(`/rses/${a}/distances/${b}`, { distance: 7 });
      const shown = `Distance information from ${a} to ${b}: distance=7`;
      expectPrinted(await user.rucio(`rse distance show ${a} ${b}`), shown);
      expectPrinted(await user.rucio(`rse distance show ${b} ${a}`), `No distance set from ${b} to ${a}`);
    });

    command('rse distance unset', 'deletes a distance, or both', async () => {
      const [a, b] = await pair();
      await asRoot().post(`/rses/${a}/distances/${b}`, { distance: 7, bidirectional: true });
      expectPrinted(await root.rucio(`rse distance unset ${a} ${b}`), `Deleted distance from ${a} -> ${b}`);
      expect([await distance(a, b), await distance(b, a)]).toMatchObject([[], [{ distance: 7 }]]);
      const both = await root.rucio(`rse distance unset ${a} ${b} --bidirectional`);
      expectPrinted(both, `Deleted distances between ${a} <-> ${b}`);
      expect([await distance(a, b), await distance(b, a)]).toEqual([[], []]);
    });
  });

  describe('limits of RSEs', () => {
    command('rse limit set', 'sets a limit, and says so in its log', async () => {
      const { name } = await newRse();
      for (const value of [10_000, 20_000]) {
        const outcome = await root.rucio(`rse limit set ${name} --limit MinFreeSpace ${value}`);
        expectLogged(outcome, `Set RSE limit successfully for ${name}: MinFreeSpace = ${value}`);
        expect(await read(`${name}/limits`)).toEqual({ MinFreeSpace: value });
      }
      const denial = `can not update RSE limits for RSE ${name}`;
      expectFailure(await user.rucio(`rse limit set ${name} --limit MinFreeSpace 1`), 2, denial);
    });

    command('rse limit unset', 'takes a limit away; twice fails', async () => {
      const { name } = await newRse();
      await asRoot().put(`/rses/${name}/limits`, { name: 'MinFreeSpace', value: 5 });
      const unset = () => root.rucio(`rse limit unset ${name} --limit MinFreeSpace`);
      expectLogged(await unset(), `Deleted RSE limit successfully for ${name}: MinFreeSpace`);
      expect(await read(`${name}/limits`)).toEqual({});
      expectFailure(await unset(), 1, `Limit MinFreeSpace not defined in RSE ${name}`);
    });
  });

  describe('protocols of RSEs', () => {
    const protocols = (name: string) => read(`${name}/protocols`);

    command('rse protocol add', 'adds a protocol with priorities and extended attributes; twice fails', async () => {
      const { name } = await newRse();
      const place = '--scheme davs --hostname dav.example.org --port 443 --prefix /p';
      const json = `--domain-json {"wan":{"read":1}} --extended-attributes-json {"a":[1]}`;
      expectPrinted(await root.rucio(`rse protocol add ${name} ${place} ${json}`), '');
      expect(await protocols(name)).toMatchObject([
        {
          scheme: 'davs',
          hostname: 'dav.example.org',
          port: 443,
          prefix: '/p',
          impl: 'rucio.rse.protocols.gfal.Default',
          domains: { wan: { read: 1, write: null } },
          extended_attributes: { a: [1] },
        },
      ]);
      const again = await root.rucio(`rse protocol add ${name} ${place}`);
      expectFailure(again, 1, `Protocol 'davs' on port 443 already registered for  '${name}'`);
    });

    command('rse protocol remove', 'removes the protocols of a scheme, or one of them; twice fails', async () => {
      const { name } = await newRse();
      const ports = [1, 2, 3];
      const protocol = { impl: 'rucio.rse.protocols.webdav.Default', hostname: 'dav.example.org' };
      for (const port of ports) await asRoot().post(`/rses/${name}/protocols/davs`, { ...protocol, port });
      const remove = (which: string) => root.rucio(`rse protocol remove ${name} --scheme davs ${which}`.trim());
      expectPrinted(await remove('--hostname dav.example.org --port 2'), '');
      expect(await protocols(name)).toMatchObject([{ port: 1 }, { port: 3 }]);
      expectPrinted(await remove(''), '');
      expect((await asRoot().get(`/rses/${name}/protocols`)).status).toBe(404);
      expectFailure(await remove(''), 1, `RSE '${name}' does not support protocol 'davs'`);
    });
  });

  describe('QoS policies of RSEs', () => {
    command('rse qos add', 'gives an RSE a policy; twice fails', async () => {
      const { name } = await newRse();
      const add = () => root.rucio(`rse qos add ${name} --policy FAST`);
      expectPrinted(await add(), `Added QoS policy to RSE ${name}: FAST`);
      expect(await read(`${name}/qos_policy`)).toEqual(['FAST']);
      expectFailure(await add(), 1, 'QoS policy FAST already exists!');
    });

    command('rse qos list', 'lists the policies', async () => {
      const { name } = await newRse();
      for (const policy of ['FAST', 'CHEAP']) await asRoot().post(`/rses/${name}/qos_policy/${policy}`);
      expectPrinted(await user.rucio(`rse qos list ${name}`), 'CHEAP\nFAST');
    });

    command('rse qos remove', 'takes a policy away', async () => {
      const { name } = await newRse();
      for (const policy of ['FAST', 'CHEAP']) await asRoot().post(`/rses/${name}/qos_policy/${policy}`);
      const outcome = await root.rucio(`rse qos remove ${name} --policy FAST`);
      expectPrinted(outcome, `Deleted QoS policy from RSE ${name}: FAST`);
      expect(await read(`${name}/qos_policy`)).toEqual(['CHEAP']);
    });
  });
}
