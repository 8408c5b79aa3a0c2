import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier.endsWith('rapid-client.node')
      ? { url: new URL('native-client.ts', import.meta.url).href, shortCircuit: true }
      : nextResolve(specifier, context),
});
