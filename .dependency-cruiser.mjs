/** What may import what among the folders of `lib` (ARCHITECTURE.md, Layers); `npm run check:folders`. */
export default {
  forbidden: [
    {
      name: 'no-cycle-of-folders',
      comment: 'Folders are layers. What two of them need belongs into a third one below both.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^lib' },
      to: { circular: true },
    },
    {
      name: 'operations-are-bound-only',
      comment: 'Only functions/ import an operation. What two groups share belongs into lib/domain.',
      severity: 'error',
      from: { path: '^lib/(?!operations/)' },
      to: { path: '^lib/operations/' },
    },
    {
      name: 'operations-of-one-group',
      comment: 'An operation imports its own group and the domain.',
      severity: 'error',
      from: { path: '^lib/operations/([^/]+)/' },
      to: { path: '^lib/operations/', pathNot: '^lib/operations/$1/' },
    },
    {
      name: 'background-is-started-only',
      comment: 'Only functions/ and infra/ start what happens in the background.',
      severity: 'error',
      from: { path: '^lib/(?!background/)' },
      to: { path: '^lib/background/' },
    },
    {
      name: 'no-http-below-the-edge',
      comment: 'Only functions/ know lib/http.',
      severity: 'error',
      from: { path: '^lib/(contract|store|domain|operations|background)/' },
      to: { path: '^lib/(http|openapi)/' },
    },
    {
      name: 'the-store-is-below-the-domain',
      severity: 'error',
      from: { path: '^lib/(contract|store)/' },
      to: { path: '^lib/(domain|operations|background)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    includeOnly: '^lib',
    parser: 'swc',
    moduleSystems: ['es6'],
    tsPreCompilationDeps: true,
  },
};
