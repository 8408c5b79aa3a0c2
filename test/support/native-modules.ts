/** For a configuration of vitest: Node itself loads modules, as it does when Dapple runs. An eighth of the processor time less. */
export const nativeModules = { viteModuleRunner: false, nodeLoader: false } as const;
