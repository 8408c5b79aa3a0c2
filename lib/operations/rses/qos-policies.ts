import { qosPolicy } from '../../contract/schemas/rse-limit.ts';
import { requireRse } from '../../domain/rses/find-rse.ts';
import { writeRse } from '../../domain/rses/write-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { changeRse, patchMembers } from '../../store/entities/rse.ts';

interface PolicyOfRse {
  readonly rse: string;
  readonly policy: string;
}

/**
 * The QoS policies of an RSE, live or disabled, by name (spec/rses.md 1.21).
 *
 * @throws RSENotFound (404).
 */
export async function listQosPolicies({ store }: Context, name: string): Promise<string[]> {
  return [...(await requireRse(store.table, name)).qosPolicies];
}

/**
 * Adds a QoS policy to an RSE (spec/rses.md 1.22).
 *
 * @throws InvalidObject (400) for a name that is too long; RSENotFound (404), AccessDenied (401), Duplicate (409).
 */
export async function addQosPolicy(context: Context, { rse: name, policy }: PolicyOfRse): Promise<void> {
  const { error } = qosPolicy.safeParse(policy);
  if (error !== undefined) fail('InvalidObject', `Problem validating qos_policy: ${error.issues[0]?.message}`);
  await writeRse(context, name, 'add_qos_policy', (rse) => {
    if (rse.qosPolicies.includes(policy)) fail('Duplicate', `QoS policy ${policy} already exists!`);
    return [changeRse(rse, patchMembers('qosPolicy', [[policy, true]]))];
  });
}

/**
 * Removes a QoS policy from an RSE, if it has it (spec/rses.md 1.23).
 *
 * @throws RSENotFound (404), AccessDenied (401).
 */
export async function deleteQosPolicy(context: Context, { rse: name, policy }: PolicyOfRse): Promise<void> {
  await writeRse(context, name, 'delete_qos_policy', (rse) =>
    rse.qosPolicies.includes(policy) ? [changeRse(rse, patchMembers('qosPolicy', [[policy, undefined]]))] : [],
  );
}
