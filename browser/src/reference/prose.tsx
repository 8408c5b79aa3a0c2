/** Text in which `code` between back quotes becomes an element, as the contract writes it. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={i}>{part}</code>))}</>;
}

/** A summary as a title, and what it says beyond: it may go on behind a semicolon or a colon. */
export function splitSummary(summary: string): readonly [title: string, rest: string] {
  const at = summary.search(/[;:] /);
  return at < 0 ? [summary, ''] : [summary.slice(0, at), summary.slice(at + 2)];
}
