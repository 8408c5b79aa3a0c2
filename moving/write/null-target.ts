import type { Target } from './target.ts';

/** The target of a dry run: writes nothing. */
export const nullTarget: Target = {
  progress: '',
  address: 'nothing (dry run)',
  open: async () => {},
  put: async () => {},
  delete: async () => {},
  settle: async () => true,
  finish: async () => {},
  close: async () => {},
};
