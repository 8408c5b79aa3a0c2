import { readFileSync } from 'node:fs';

import { Http1 } from '../http/http1.ts';
import { failed, type Line, ok, readLogs, skipped } from '../line.ts';
import { say } from '../words.ts';

/** Whether the certificate of a user logs in. */
export const certificate: Line = {
  name: 'certificate',
  tries: 'the certificate of --cert logs in at --auth-url (GET /auth/x509)',
  advice: `The gateway must require client certificates at that name (mtlsDomainName), and trust their authority (truststoreUri). ${readLogs}`,
  async run({ options }) {
    const { authUrl: url, cert, key = cert, account, patienceMs } = options;
    if (url === undefined || cert === undefined) return skipped('only with --auth-url and --cert');
    const http = new Http1({ url, patienceMs, tls: { cert: readFileSync(cert), key: readFileSync(key ?? cert) } }, 1);
    try {
      const answer = await http.send({ method: 'GET', path: '/auth/x509', headers: { 'X-Rucio-Account': account } });
      if (answer.status === 200 && answer.headers['x-rucio-auth-token'] !== undefined)
        return ok(`${say(answer)}, a token of ${answer.headers['x-rucio-auth-account'] ?? account}`);
      if (answer.status === 401 && answer.headers['exceptionmessage']?.startsWith('Cannot get DN') !== true) {
        // Without an account the refusal says the subject as Dapple has read it.
        const bare = await http.send({ method: 'GET', path: '/auth/x509' });
        return failed(`${say(answer)}; without the account: ${say(bare)}`, unknownAdvice);
      }
      return failed(say(answer));
    } finally {
      http.close();
    }
  },
};

const unknownAdvice =
  'Dapple has read the certificate, but does not know its subject: add the subject as it stands above as an identity of the account ' +
  '(POST /accounts/{account}/identities, type X509).';
