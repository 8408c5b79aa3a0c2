/** A kind of answers that differ from Rucio's. */
interface Difference {
  readonly reason: string;
  /** Fits `GET /path: <Rucio's answer> -> <Dapple's answer>`. */
  readonly lines: RegExp;
}

/** Why answers to paths differ from those of a real Rucio; the first that fits counts, and all are needed. */
export const differences: readonly Difference[] = [
  {
    reason: "An error names its class, where Rucio's web server sends a page of HTML.",
    lines: /: (\d{3}) -> \1 \w+$/,
  },
  {
    reason: 'Both slash forms are served, without a redirect (dids 1.6).',
    lines: /: 308 -> 200$/,
  },
  {
    reason: 'Escapes that are no UTF-8 are an error of the client, and in no path a part of a name.',
    lines: /%(FF|zz)?: \d{3} -> 40[04] \w+$/,
  },
  {
    reason: 'Segments of dots lead nowhere: what is read in two ways is refused.',
    lines: /^\w+ \S*\/(\.|%2e){1,2}(\/\S*)?: (200|400|500 InvalidObject) -> (404 \w+|200)$/i,
  },
  {
    reason: 'Where one method has a route at a path, the answer to others is that they are not allowed (405).',
    lines: /^[A-Z]+ \/+(rses|dids\/+|accounts\/paths-user\/): 404 -> 405 MethodNotAllowed$/,
  },
  {
    reason: 'A distance can be asked for at this path, too.',
    lines: /^GET \/rses\/PATHS\/attr\/\S+: 405 -> 404 RSENotFound$/,
  },
  {
    reason: 'Inside of scope and name no slash is merged: names begin with one at some experiments.',
    lines: /^GET \S*\/(dids|replicas|rules)\/+paths\/\/+(ds|f1)\S*: 200 -> 404 DataIdentifierNotFound$/,
  },
  {
    reason: 'An escaped slash behind the first segment belongs to its segment.',
    lines: /^\w+ \S*%2f\S*: 200 -> 404 \w+$/i,
  },
  {
    reason: "The root leads to the page for browsers, which Rucio's server does not have.",
    lines: /^GET (\/+|\/%2F): 404 -> 303$/,
  },
  {
    reason: 'Rucio serves no archives by default.',
    lines: /^GET \/+archives\S*: 404 -> 200$/,
  },
  {
    reason: 'What makes Rucio fail (500) is answered, or refused.',
    lines: /: 500( \w+)? -> (200|4\d\d \w+)$/,
  },
  {
    reason: 'Any name is a name that may have no replicas (replication 1.6).',
    lines: /^GET \/replicas\/\S+: 404 -> 200$/,
  },
  {
    reason: "Rucio's web server echoes TRACE itself; Node refuses methods that HTTP does not know.",
    lines: /^(TRACE \S+: 200 -> 40[45]|FOO \S+: \d+ -> 400)( \w+)?$/,
  },
  {
    reason: 'A slash at the end is optional everywhere but behind the name of a DID (dids 1.6).',
    lines: /^\w+ [^?]*\/(\?\S*)?: (404|404 DataIdentifierNotFound|400 KeyError|405) -> (20[01]|303|400 ValueError)$/,
  },
];
