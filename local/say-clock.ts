import { clock } from '../lib/clock.ts';
import { wrongClockMs } from '../lib/store/items/server-time.ts';

let isSaid = false;

/** Says that the clock of this machine is wrong, once until it is right again. */
export function sayWrongClock(say: (line: string) => void): void {
  const { lead } = clock;
  const isWrong = Math.abs(lead) >= wrongClockMs;
  if (isWrong && !isSaid) {
    const difference = `${Math.round(Math.abs(lead) / 1_000)} s ${lead > 0 ? 'behind' : 'ahead of'}`;
    say(`the clock of this machine is ${difference} that of the catalogue, which never goes back (docs/operations.md)`);
  }
  isSaid = isWrong;
}
