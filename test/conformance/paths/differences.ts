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
    reason: 'An escape that is not UTF-8 is an error of the client; it is never part of a name.',
    lines: /%(FF|zz)?: \d{3} -> 40[04] \w+$/,
  },
  {
    reason: 'A segment `.` or `..` never leads to another path; a path that could be read in two ways is refused.',
    lines: /^\w+ \S*\/(\.|%2e){1,2}(\/\S*)?: (200|400|500 InvalidObject) -> (404 \w+|200)$/i,
  },
  {
    reason: 'If a path has a route for one method, other methods are answered with 405 MethodNotAllowed.',
    lines: /^[A-Z]+ \/+(rses|dids\/+|accounts\/paths-user\/): 404 -> 405 MethodNotAllowed$/,
  },
  {
    reason: 'A distance can be asked for at this path, too.',
    lines: /^GET \/rses\/PATHS\/attr\/\S+: 405 -> 404 RSENotFound$/,
  },
  {
    reason: 'Repeated slashes in scope and name are kept, since names of some experiments begin with a slash.',
    lines: /^GET \S*\/(dids|replicas|rules)\/+paths\/\/+(ds|f1)\S*: 200 -> 404 DataIdentifierNotFound$/,
  },
  {
    reason: 'An escaped slash after the first segment is part of its segment, not a separator.',
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
    reason: 'A path at which Rucio fails (500) is answered or refused.',
    lines: /: 500( \w+)? -> (200|4\d\d \w+)$/,
  },
  {
    reason: 'An unknown name is answered like a name without replicas (replication 1.6).',
    lines: /^GET \/replicas\/\S+: 404 -> 200$/,
  },
  {
    reason: "Rucio's web server echoes TRACE itself; Node refuses methods that HTTP does not know.",
    lines: /^(TRACE \S+: 200 -> 40[45]|FOO \S+: \d+ -> 400)( \w+)?$/,
  },
  {
    reason: 'A slash at the end is optional, except after the name of a DID (dids 1.6).',
    lines: /^\w+ [^?]*\/(\?\S*)?: (404|404 DataIdentifierNotFound|400 KeyError|405) -> (20[01]|303|400 ValueError)$/,
  },
];
