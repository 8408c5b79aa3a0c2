/** Rights of experiments, asked of a server with their policy. */
import { expect, it } from 'vitest';

import { logInAt } from '../../support/laptop.ts';
import { serverInTurn } from '../server-in-turn.ts';
import { addDisk, type PolicyServer, segment } from '../start-with-policy.ts';

type Ask = (method: string, path: string, body?: unknown) => Promise<string>;

/** Creates an account with attributes, and returns how to ask as it: status, class and message of the answer. */
async function addAccount(server: PolicyServer, account: string, attributes: readonly string[] = []): Promise<Ask> {
  await server.must('POST', `/accounts/${account}`, { type: 'SERVICE', email: 'a@test.example' });
  await server.must('POST', `/accounts/${account}/identities`, {
    identity: account,
    authtype: 'USERPASS',
    password: `${account}-Secret-7`,
    email: 'a@test.example',
  });
  for (const key of attributes) await server.must('POST', `/accounts/${account}/attr/${key}`, { key, value: 'True' });
  const send = await logInAt(server.process.url, { account, username: account, password: `${account}-Secret-7` });
  return async (method, path, body) => {
    const answer = await send(method, path, body);
    const text = await answer.text();
    if (answer.ok) return String(answer.status);
    const { ExceptionClass, ExceptionMessage } = JSON.parse(text) as Record<string, string>;
    return `${answer.status} ${ExceptionClass}: ${ExceptionMessage}`;
  };
}

async function addRule(
  server: PolicyServer,
  did: { scope: string; name: string; type: string },
  rse: string,
  options: object = {},
): Promise<string> {
  await server.must('POST', `/dids/${did.scope}/${segment(did.name)}`, { type: did.type });
  const [id] = JSON.parse((await server.must('POST', '/rules/', ruleFor(did, 'root', rse, options))).text) as string[];
  return id ?? '';
}

const ruleFor = ({ scope, name }: { scope: string; name: string }, account: string, rse: string, options = {}) => ({
  dids: [{ scope, name }],
  account,
  copies: 1,
  rse_expression: rse,
  grouping: 'DATASET',
  ...options,
});

/** The rights of each policy. */
export const testRights = {
  cms: () => {
    it('cms: those whom all RSEs list in rule_approvers approve, others are refused in the name of the policy', async () => {
      const server = await serverInTurn('cms');
      const alice = await addAccount(server, 'alice');
      const bob = await addAccount(server, 'bob');
      await addDisk(server, 'T2_CH_CERN', { attributes: { rule_approvers: 'carol,alice', site_admins: 'alice' } });
      await addDisk(server, 'T2_CH_PSI');
      await server.must('POST', '/accounts/root/scopes/cms.rights');
      const block = (run: number) => ({ scope: 'cms.rights', name: `/a/b/RAW#${run}`, type: 'DATASET' });
      const rule = await addRule(server, block(1), 'T2_CH_CERN', { ask_approval: true });
      const refusal = (account: string) =>
        `401 AccessDenied: Account ${account} can not approve/deny this replication rule. The policy cms refuses it.`;
      expect(await bob('PUT', `/rules/${rule}`, { options: { approve: true } })).toBe(refusal('bob'));
      expect(await alice('PUT', `/rules/${rule}`, { options: { approve: true } })).toBe('200');
      // Rucio lets everybody approve where no RSE names approvers.
      const open = await addRule(server, block(2), 'T2_CH_PSI', { ask_approval: true });
      expect(await alice('PUT', `/rules/${open}`, { options: { approve: true } })).toBe(refusal('alice'));
      expect(await alice('POST', '/accountlimits/local/bob/T2_CH_CERN', { bytes: 10 })).toBe('201');
      expect(await alice('POST', '/accountlimits/local/bob/T2_CH_PSI', { bytes: 10 })).toMatch(/^401 AccessDenied/);
    });

    it('cms: rules on RSEs that require approval ask for it, those of root too', async () => {
      const server = await serverInTurn('cms');
      await addDisk(server, 'T1_CH_CERN_Tape', { attributes: { requires_approval: 'True' } });
      await server.must('POST', '/accounts/root/scopes/cms.tape');
      const did = { scope: 'cms.tape', name: '/a/b/RAW#3', type: 'DATASET' };
      await server.must('POST', `/dids/cms.tape/${segment(did.name)}`, { type: did.type });
      const refused = await server.ask('POST', '/rules/', ruleFor(did, 'root', 'T1_CH_CERN_Tape'));
      expect(refused.error).toBe('AccessDenied: Account root can not add replication rule. The policy cms refuses it.');
      await server.must('POST', '/rules/', ruleFor(did, 'root', 'T1_CH_CERN_Tape', { ask_approval: true }));
    });
  },
  belleii: () => {
    it('belleii: rule_admin and rule_deleters delete rules of others, account_admin does not change root', async () => {
      const server = await serverInTurn('belleii');
      const admin = await addAccount(server, 'alice', ['rule_admin', 'account_admin']);
      const listed = await addAccount(server, 'bob');
      const stranger = await addAccount(server, 'carol');
      await addDisk(server, 'Roma-TMP-SE', { attributes: { rule_deleters: 'bob' } });
      await server.must('POST', '/accountlimits/local/root/Roma-TMP-SE', { bytes: -1 });
      await server.must('POST', '/accounts/root/scopes/raw');
      const set = (run: number) => ({ scope: 'raw', name: `/belle/Raw/r${run}`, type: 'DATASET' });
      const [one, two] = [await addRule(server, set(1), 'Roma-TMP-SE'), await addRule(server, set(2), 'Roma-TMP-SE')];
      expect(await stranger('DELETE', `/rules/${one}`)).toBe(
        '401 AccessDenied: Account carol can not remove this replication rule. The policy belleii refuses it.',
      );
      expect(await admin('DELETE', `/rules/${one}`)).toBe('200');
      expect(await listed('DELETE', `/rules/${two}`)).toBe('200');
      expect(await admin('POST', '/accounts/dave', { type: 'USER', email: 'd@test.example' })).toBe('201');
      expect(await admin('POST', '/accounts/root/attr/x', { key: 'x', value: 'y' })).toMatch(/^401 AccessDenied/);
    });
  },
  lsst: () => {
    it('lsst: data_user adds scopes and rules for others, and others do not', async () => {
      const server = await serverInTurn('lsst');
      const pipeline = await addAccount(server, 'alice', ['data_user']);
      const stranger = await addAccount(server, 'bob');
      await addDisk(server, 'SLAC_DISK');
      await server.must('POST', '/accountlimits/local/root/SLAC_DISK', { bytes: -1 });
      const did = { scope: 'hsc', name: 'HSC-R+1~2', type: 'DATASET' };
      expect(await stranger('POST', '/accounts/bob/scopes/hsc')).toMatch(/^401 AccessDenied/);
      expect(await pipeline('POST', '/accounts/root/scopes/hsc')).toBe('201');
      expect(await pipeline('POST', `/dids/hsc/${segment(did.name)}`, { type: did.type })).toBe('201');
      expect(await stranger('POST', '/rules/', ruleFor(did, 'root', 'SLAC_DISK'))).toMatch(/^401 AccessDenied/);
      expect(await pipeline('POST', '/rules/', ruleFor(did, 'root', 'SLAC_DISK'))).toBe('201');
    });
  },
};
