import { useEffect, useState } from 'preact/hooks';

import { type CatalogueEvent, followEvents } from '../../api/events.ts';
import { counted, exactInteger, localTimeOfDay, readDate } from '../../format.ts';
import { Section } from '../../ui/basics.tsx';
import { axisEnd, Plot } from '../../ui/plot.tsx';

const minuteMs = 60_000;
const windowMinutes = 10;
const showMs = 250;

/** How many events there were by the minute of their time, and how late the last one came. */
interface Rate {
  readonly byMinute: ReadonlyMap<number, number>;
  readonly lagMs: number | undefined;
  readonly now: number;
}

/** Counts events by minute; tells the counts at most four times a second, and at each new minute. */
function countEvents(tell: (rate: Rate) => void) {
  const byMinute = new Map<number, number>();
  const begun = Date.now();
  let lagMs: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    timer = undefined;
    const now = Date.now();
    for (const minute of byMinute.keys()) if (minute < minuteOf(now) - windowMinutes) byMinute.delete(minute);
    tell({ byMinute: new Map(byMinute), lagMs, now });
  };
  const ticking = setInterval(show, minuteMs / 12);
  return {
    add: (events: readonly CatalogueEvent[]) => {
      for (const { time } of events) {
        const at = readDate(time)?.getTime() ?? 0;
        byMinute.set(minuteOf(at), (byMinute.get(minuteOf(at)) ?? 0) + 1);
        if (at > begun) lagMs = Date.now() - at;
      }
      timer ??= setTimeout(show, showMs);
    },
    stop: () => {
      clearTimeout(timer);
      clearInterval(ticking);
    },
  };
}

const minuteOf = (time: number) => Math.floor(time / minuteMs);

/** Events of the last minutes, and how late they arrive. */
export function EventRate() {
  const [{ byMinute, lagMs, now }, setRate] = useState<Rate>({
    byMinute: new Map(),
    lagMs: undefined,
    now: Date.now(),
  });
  useEffect(() => {
    const count = countEvents(setRate);
    const since = new Date((minuteOf(Date.now()) - windowMinutes + 1) * minuteMs).toISOString();
    const end = followEvents({ since }, { onEvents: count.add });
    return () => {
      end();
      count.stop();
    };
  }, []);
  const minutes = Array.from({ length: windowMinutes }, (_unused, i) => {
    const minute = minuteOf(now) - windowMinutes + 1 + i;
    return { minute, count: byMinute.get(minute) ?? 0 };
  });
  const counts = minutes.map(({ count }) => count);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const top = axisEnd(Math.max(...counts));
  return (
    <Section heading="Events per minute">
      <Plot
        label={`Events in the last ${windowMinutes} minutes, by minute: ${counts.join(', ')}`}
        caption="Events of the catalogue, by the minute in which they were committed"
        height={140}
        ticks={{
          x: minutes.map(({ minute }, i) => [
            (i + 0.5) / windowMinutes,
            i % 3 === 0 ? localTimeOfDay(minute * minuteMs) : '',
          ]),
          y: [0, 0.5, 1]
            .filter((share) => Number.isInteger(top * share))
            .map((share) => [share, exactInteger(top * share)]),
        }}
        draw={({ left, width, top: above, height }) =>
          minutes.map(({ minute, count }, i) => (
            <rect
              key={minute}
              class="bar-part"
              x={left + (width * i) / windowMinutes + 2}
              y={above + height * (1 - count / top)}
              width={Math.max(width / windowMinutes - 4, 1)}
              height={(height * count) / top}
            >
              <title>{`${localTimeOfDay(minute * minuteMs)}: ${counted(count, 'event')}`}</title>
            </rect>
          ))
        }
      />
      <p class="hint" role="status">
        {counted(counts.at(-1) ?? 0, 'event')} in this minute, {counted(total, 'event')} in {windowMinutes} minutes.
        {lagMs === undefined
          ? ' The delay is shown after the next change.'
          : ` The last change was announced ${(lagMs / 1000).toFixed(1)} s after its second.`}
      </p>
    </Section>
  );
}
