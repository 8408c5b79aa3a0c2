/** An import that must not be, from the files that fit `from` to those that fit `to`, both relative to the project. */
export interface ForbiddenImport {
  readonly reason: string;
  readonly from: RegExp;
  /** `$1` stands for what `from` has captured. */
  readonly to: RegExp;
  readonly except?: string;
}

/** The imports that the layers of `lib` forbid (ARCHITECTURE.md, Layers). */
export const forbiddenImports: readonly ForbiddenImport[] = [
  {
    reason: 'Only functions/ import an operation. What two callers share belongs into lib/domain.',
    from: /^lib\/(?!operations\/)/,
    to: /^lib\/operations\//,
  },
  {
    reason: 'An operation imports its own group and the domain.',
    from: /^lib\/operations\/([^/]+)\//,
    to: /^lib\/operations\//,
    except: 'lib/operations/$1/',
  },
  {
    reason: 'Only functions/ and infra/ start what happens in the background.',
    from: /^lib\/(?!background\/)/,
    to: /^lib\/background\//,
  },
  {
    reason: 'Only functions/ know lib/http.',
    from: /^lib\/(contract|store|storage|domain|operations|background)\//,
    to: /^lib\/(http|openapi)\//,
  },
  {
    reason: 'Only lib/store knows keys. What others need of them belongs into its entities or its values.',
    from: /^lib\/(?!store\/)/,
    to: /^lib\/store\/keys\//,
  },
  {
    reason: 'Lists of rows know nothing of what is listed.',
    from: /^lib\/rows\//,
    to: /^lib\/(?!rows\/)/,
  },
  {
    reason: 'The store and the contract are below the domain.',
    from: /^lib\/(contract|store)\//,
    to: /^lib\/(domain|operations|background)\//,
  },
  {
    reason: 'Only programs of operators, in moving/ and local/, read and write the whole table. No function may.',
    from: /^lib\/(?!store\/portable\/)/,
    to: /^lib\/store\/portable\//,
  },
];
