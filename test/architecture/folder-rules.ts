/** An import that must not be, from the files that fit `from` to the files or packages that fit `to`. */
export interface ForbiddenImport {
  readonly reason: string;
  /** Files, relative to the project. */
  readonly from: RegExp;
  /** Files, relative to the project, or packages, such as `node:fs`. */
  readonly to: RegExp;
  /** The beginning of what may be imported nevertheless; `$1` stands for what `from` has captured. */
  readonly except?: string;
}

/** The imports that the layers forbid (ARCHITECTURE.md, Layers). */
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
    reason: 'Only functions/ and local/ start what happens in the background.',
    from: /^lib\/(?!background\/)/,
    to: /^lib\/background\//,
  },
  {
    reason: 'Only functions/ know lib/http.',
    from: /^lib\/(contract|store|movers|domain|operations|background)\//,
    to: /^lib\/(http|openapi)\//,
  },
  {
    reason: 'Only lib/store knows keys. What others need of them belongs into its entities or its values.',
    from: /^(lib\/(?!store\/)|moving\/)/,
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
    reason: 'lib/contract is a leaf: data that everybody may read.',
    from: /^lib\/contract\//,
    to: /^(lib\/store\/|@aws-sdk\/)/,
  },
  {
    reason: 'A policy is data; lib/policy knows nothing of what derives from it.',
    from: /^(?:policies|lib\/policy)\//,
    to: /^(?:lib\/(?!policy\/)[^/]+\/|functions\/|infra\/|local\/|moving\/)/,
  },
  {
    reason: 'The rules of the catalogue know neither HTTP nor the SDK.',
    from: /^lib\/(http|domain|operations|background)\//,
    to: /^@aws-sdk\//,
  },
  {
    reason: 'The rules of the catalogue know neither HTTP nor the SDK.',
    from: /^lib\/(domain|operations|background)\//,
    to: /^(aws-lambda$|@middy\/)/,
  },
  {
    reason: 'Only programs of operators, in moving/ and local/, read and write the whole table. No function may.',
    from: /^lib\/(?!store\/portable\/)/,
    to: /^lib\/store\/portable\//,
  },
  {
    reason: 'The service knows neither the stack, nor the laptop, nor programs of operators.',
    from: /^(lib|functions)\//,
    to: /^(infra|local|moving|bench|test|browser|examples)\//,
  },
  {
    reason: 'functions bind the contract to operations, no more.',
    from: /^functions\//,
    to: /^@aws-sdk\//,
  },
  {
    reason: 'The page knows the contract and nothing else of the service.',
    from: /^browser\//,
    to: /^(lib\/(http|domain|operations|background|store|movers)\/|functions\/|infra\/|local\/|moving\/|node:)/,
  },
  {
    reason: 'What moves catalogues makes items by the entities of the store, and serves nothing.',
    from: /^moving\//,
    to: /^(lib\/(http|operations|background)|functions)\//,
  },
  {
    reason: 'The stack reads the contract and the definition of the table; only local/ runs functions.',
    from: /^infra\/(?!bundle\/)/,
    to: /^(functions|moving|lib\/(http|domain|operations|background))\//,
  },
  {
    reason: 'The package contains the programs, which know nothing of it.',
    from: /^(lib|functions|infra|local|moving|browser|examples)\//,
    to: /^packaging\//,
  },
  {
    reason: 'The engine is a package for everybody: it needs nothing but Node.',
    from: /^local\/engine\/src\//,
    to: /^(?!node:|local\/engine\/src\/)/,
  },
  {
    reason: 'The engine is a package for everybody, with its tests and its judge.',
    from: /^local\/engine\//,
    to: /^(bench|browser|examples|functions|infra|lib|local\/(?!engine\/)|moving|test)\//,
  },
  {
    reason: 'The smoke test knows a deployment from outside: it needs Node and the frame of options.',
    from: /^smoke\//,
    to: /^(?!node:|smoke\/|local\/(?:option|shared-options)\.ts$)/,
  },
  {
    reason: 'The smoke test is a program: only tests and the package name it.',
    from: /^(?!smoke\/|test\/|packaging\/)/,
    to: /^smoke\//,
  },
  {
    reason: 'Only tests and local/ run the stack or measure it.',
    from: /^(infra|local|moving|packaging|examples)\//,
    to: /^(test|bench)\//,
  },
];
