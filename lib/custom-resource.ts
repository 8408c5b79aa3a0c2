import { setTimeout as sleep } from 'node:timers/promises';

import { clock } from './clock.ts';
import { log } from './log.ts';

/** The request of CloudFormation to the function behind a custom resource. */
export interface ResourceEvent {
  readonly RequestType: string;
  /** A signed URL for the answer. */
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
}

/** The attributes that the rest of the stack can read; never a secret. */
type Attributes = Readonly<Record<string, string>>;

/**
 * Makes the Lambda handler of a custom resource that lives as long as the stack. `make` creates or finds it when the
 * stack is created or the resource's properties change; a deletion leaves it alone.
 *
 * The handler always answers, since CloudFormation would otherwise wait for an hour. Everybody who may see the stack
 * sees the reason of a failure, so the errors of `make` must not contain secrets.
 *
 * @param id Name of the resource. It must never change: CloudFormation replaces a resource whose name changes.
 */
export function customResource(
  id: string,
  make: (properties: ResourceEvent['ResourceProperties']) => Promise<Attributes>,
): (event: ResourceEvent) => Promise<void> {
  return async (event) => {
    const { RequestType, ResourceProperties } = event;
    if (RequestType === 'Delete') return answer(event, { Status: 'SUCCESS', PhysicalResourceId: id });
    try {
      const Data = await withNewPermissions(() => make(ResourceProperties));
      await answer(event, { Status: 'SUCCESS', PhysicalResourceId: id, Data });
    } catch (error) {
      log.error(`cannot make the resource ${id}`, { error: error as Error });
      await answer(event, { Status: 'FAILED', PhysicalResourceId: id, Reason: reasonOf(error) });
    }
  };
}

/** How long a role may lack permissions that its policy already grants: IAM is eventually consistent. */
const newPermissionsMs = 30_000;

/** Repeats work that is refused for want of permissions, as a function's role may be seconds old. */
async function withNewPermissions<T>(work: () => Promise<T>): Promise<T> {
  const end = clock.now() + newPermissionsMs;
  for (let pauseMs = 500; ; pauseMs *= 2) {
    try {
      return await work();
    } catch (error) {
      if (!isAccessDenied(error) || clock.now() + pauseMs > end) throw error;
      await sleep(pauseMs);
    }
  }
}

function isAccessDenied(error: unknown): boolean {
  const { name = '', cause } = error as Partial<Error>;
  return name.startsWith('AccessDenied') || (cause !== undefined && isAccessDenied(cause));
}

/** @throws Error if the answer is rejected; Lambda then calls the function again. */
async function answer({ ResponseURL, StackId, RequestId, LogicalResourceId }: ResourceEvent, verdict: object) {
  const response = await fetch(ResponseURL, {
    method: 'PUT',
    // The signature of the URL covers an empty media type.
    headers: { 'Content-Type': '' },
    body: JSON.stringify({ StackId, RequestId, LogicalResourceId, ...verdict }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok)
    throw new Error(`CloudFormation answered ${response.status} to the outcome of ${LogicalResourceId}`);
}

/** Class and message, short enough for CloudFormation's limit of 4 KB for the whole answer. */
function reasonOf(error: unknown): string {
  return String(error).slice(0, 1000);
}
