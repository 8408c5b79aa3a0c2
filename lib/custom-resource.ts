import { log } from './log.ts';

/** What CloudFormation sends to the function behind a resource of its own kind. */
export interface ResourceEvent {
  readonly RequestType: string;
  /** A signed URL that takes the answer. */
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
}

/** What a resource shows to the rest of the stack; never a secret. */
type Attributes = Readonly<Record<string, string>>;

/**
 * The function behind a resource of the stack that exists as long as the stack does: it is made, or found, whenever the
 * stack is created or the resource's properties change, and left alone when the stack goes.
 *
 * Whatever happens CloudFormation is told, since it would wait for an hour otherwise. The reason of a failure is shown
 * to everybody who may look at the stack: the errors that `make` throws must hold no secrets.
 *
 * @param id Name of the resource; the same for its whole life, since CloudFormation replaces what changes its name.
 */
export function customResource(
  id: string,
  make: (properties: ResourceEvent['ResourceProperties']) => Promise<Attributes>,
): (event: ResourceEvent) => Promise<void> {
  return async (event) => {
    const { RequestType, ResourceProperties } = event;
    if (RequestType === 'Delete') return answer(event, { Status: 'SUCCESS', PhysicalResourceId: id });
    try {
      const Data = await make(ResourceProperties);
      await answer(event, { Status: 'SUCCESS', PhysicalResourceId: id, Data });
    } catch (error) {
      log.error(`cannot make the resource ${id}`, { error: error as Error });
      await answer(event, { Status: 'FAILED', PhysicalResourceId: id, Reason: reasonOf(error) });
    }
  };
}

/** @throws Error when the answer is not taken; Lambda then calls the function again. */
async function answer({ ResponseURL, StackId, RequestId, LogicalResourceId }: ResourceEvent, verdict: object) {
  const response = await fetch(ResponseURL, {
    method: 'PUT',
    // The URL is signed for an answer without a media type.
    headers: { 'Content-Type': '' },
    body: JSON.stringify({ StackId, RequestId, LogicalResourceId, ...verdict }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`CloudFormation answers ${response.status} to what became of ${LogicalResourceId}`);
}

/** Class and message, in what CloudFormation takes: 4 KB with all else. */
function reasonOf(error: unknown): string {
  return String(error).slice(0, 1000);
}
