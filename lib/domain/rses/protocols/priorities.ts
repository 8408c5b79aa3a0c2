import type { ProtocolInput } from '../../../contract/schemas/rse-protocol.ts';
import { fail } from '../../../errors.ts';
import { pythonText } from '../../../python/text.ts';
import {
  type Domain,
  domains,
  type Operation,
  operations,
  type Protocol,
} from '../../../store/entities/rse-protocol.ts';

type Priority = number | null | undefined;

/** Input members of the flat form, with their domain and operation (spec/rses.md 3.2). */
const flatNames = [
  ['read_lan', 'lan', 'read'],
  ['write_lan', 'lan', 'write'],
  ['delete_lan', 'lan', 'delete'],
  ['read_wan', 'wan', 'read'],
  ['write_wan', 'wan', 'write'],
  ['delete_wan', 'wan', 'delete'],
  ['third_party_copy_read', 'wan', 'third_party_copy_read'],
  ['third_party_copy_write', 'wan', 'third_party_copy_write'],
] as const;

/** The largest value of Rucio's database column. */
const maxPriority = 2 ** 31 - 1;

/**
 * Priorities with the changes of an input: only for the operations that it names, first the flat form, then `domains`
 * (spec/rses.md 3.2).
 *
 * @throws RSEProtocolDomainNotSupported, RSEOperationNotSupported (404) for unknown names;
 *   RSEProtocolPriorityError (409).
 */
export function mergePriorities(before: Protocol['domains'], input: ProtocolInput): Protocol['domains'] {
  const merged = {
    lan: new Map<Operation, Priority>(entries(before.lan)),
    wan: new Map<Operation, Priority>(entries(before.wan)),
  };
  for (const [name, domain, operation] of flatNames) {
    const priority = input[name];
    if (priority !== undefined) merged[domain].set(operation, priority);
  }
  for (const [domain, priorities] of Object.entries(input.domains ?? {})) {
    if (!isDomain(domain)) {
      fail('RSEProtocolDomainNotSupported', `The protocol domain '${domain}' is not defined in the schema.`);
    }
    for (const [operation, priority] of Object.entries(priorities)) {
      if (!isOperation(operation)) {
        fail('RSEOperationNotSupported', `Operation '${operation}' not defined in schema.`);
      }
      // A third-party copy has one priority for both domains.
      const home = operation.startsWith('third_party_copy') ? 'wan' : domain;
      merged[home].set(operation, checkPriority(priority, operation, domain));
    }
  }
  return { lan: supported(merged.lan), wan: supported(merged.wan) };
}

/** Whether a text is the name of a domain; case-sensitive. */
export function isDomain(text: string): text is Domain {
  return (domains as readonly string[]).includes(text);
}

/** Whether a text is the name of an operation; case-sensitive. */
export function isOperation(text: string): text is Operation {
  return (operations as readonly string[]).includes(text);
}

function checkPriority(priority: unknown, operation: Operation, domain: Domain): number | null {
  if (
    priority === null ||
    (Number.isInteger(priority) && (priority as number) >= 0 && (priority as number) <= maxPriority)
  ) {
    return priority as number | null;
  }
  const where = `for operation '${operation}' in domain '${domain}'`;
  return fail('RSEProtocolPriorityError', `The provided priority (${pythonText(priority)}) ${where} is not supported.`);
}

function entries(priorities: Protocol['domains'][Domain]): [Operation, number][] {
  return Object.entries(priorities) as [Operation, number][];
}

function supported(priorities: ReadonlyMap<Operation, Priority>): Partial<Record<Operation, number>> {
  return Object.fromEntries(
    [...priorities].filter((entry): entry is [Operation, number] => typeof entry[1] === 'number'),
  );
}
