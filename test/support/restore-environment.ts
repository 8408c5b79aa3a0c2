import { afterAll, vi } from 'vitest';

/** Files that share a process share its environment: what one has set must not reach the programs that the next one starts. */
afterAll(() => void vi.unstubAllEnvs());
