import { dirac } from '../lib/contract/dirac.ts';
import { createHandler } from '../lib/http/handler.ts';
import { addDiracFiles } from '../lib/operations/dirac/add-files.ts';

export const handler = createHandler(dirac, {
  addDiracFiles: (context, { body }) => addDiracFiles(context, body),
});
