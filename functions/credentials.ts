import { credentials } from '../lib/contract/credentials.ts';
import type { SignQuery } from '../lib/contract/schemas/credentials.ts';
import type { Context } from '../lib/domain/values/context.ts';
import { createHandler } from '../lib/http/handler.ts';
import { getSignedUrl } from '../lib/operations/credentials/get-signed-url.ts';

const sign = async (context: Context, { query }: { readonly query: SignQuery }) => ({
  body: await getSignedUrl(context, query),
});

export const handler = createHandler(credentials, { signUrl: sign, signUrlShort: sign });
