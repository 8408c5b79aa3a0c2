import { fileURLToPath } from 'node:url';

import { compiledModules, nativeModules } from './native-modules.ts';
import { patience } from './volume.ts';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Options of all configurations of vitest. */
export const commonOptions = {
  // A worker keeps its modules, and so the server that it has started, from file to file.
  isolate: false,
  // Few functions of a test run so often that V8's last compiler pays: without it a run takes a twelfth less processor time.
  execArgv: ['--no-turbofan'],
  experimental: nativeModules,
  // Vitest puts a BASE_URL of its own into the environment of its workers.
  setupFiles: ['restart-clock.ts', 'restore-environment.ts'].map(pathOf),
  globalSetup: ['choose-engine.ts', 'limit-compiled.ts', 'run-folder.ts'].map(pathOf),
  provide: { givenUrl: process.env['BASE_URL'] ?? '', givenEngine: '', runFolder: '' },
  env: {
    // Workers find the modules that others have compiled: to load the server takes a third less.
    NODE_COMPILE_CACHE: compiledModules,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'ERROR',
    PASSWORD_ROUNDS: process.env['PASSWORD_ROUNDS'] ?? '16',
  },
  testTimeout: patience(60_000),
  hookTimeout: patience(60_000),
  // For what the stream does, on a busy machine.
  expect: { poll: { timeout: patience(30_000), interval: 50 } },
};

/** All tests of `npm test`. */
export const testFiles: readonly string[] = ['{bench,test}/**/*.test.ts', 'local/engine/{judge,test}/**/*.test.ts'];

/** Files that set the clock or make handlers of their own, which a server in the same process must not see. */
export const serverless: readonly string[] = [
  'test/domain/accounts/make-root.test.ts',
  'test/domain/auth/oidc.test.ts',
  'test/domain/health/get-health.test.ts',
  'test/domain/{identify,log-in}.test.ts',
  'test/domain/metadata-index/build.test.ts',
  'test/domain/requests/{move-data,tool-run,tool-trouble}.test.ts',
  'test/domain/tokens/rotation.test.ts',
  'test/http/*.test.ts',
  'test/local/{clock-of-folder,restore}.test.ts',
  'test/store/{background,clock-set-back,dying-writers,large-plans,late-requests,order-of-values,overlapping-decisions,refused-for-good}.test.ts',
];

/**
 * Files that replace modules, or take settings from the environment when modules are loaded; and random requests, whose limits and
 * options would hold for the tests of others.
 */
export const alone: readonly string[] = [
  'test/contract/generated-requests.test.ts',
  'test/domain/auth/edge.test.ts',
  'test/http/browser-page.test.ts',
  'test/http/{conditional,repeated}-requests.test.ts',
  'test/http/oidc-{login,refresh}.test.ts',
  'test/local/threads/worker-pool.test.ts',
  'test/security/cost-fuzz.test.ts',
];
