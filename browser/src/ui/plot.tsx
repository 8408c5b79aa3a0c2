import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A mark on an axis: where it is between 0 and 1, and its words. */
export type Tick = readonly [share: number, words: string];

/** The part of a plot that the data are drawn in, in pixels. */
export interface PlotArea {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly height: number;
}

const margin = { left: 72, right: 12, top: 10, bottom: 24 };
const usualWidth = 640;

/** A plot with axes, drawn as wide as there is room, so that its words keep their size on a phone. */
export function Plot({
  label,
  caption,
  height = 170,
  ticks,
  draw,
}: {
  /** What the plot shows, in words. */
  label: string;
  /** What the axes mean, with the unit. */
  caption: ComponentChildren;
  height?: number;
  ticks: { readonly x: readonly Tick[]; readonly y: readonly Tick[] };
  draw: (area: PlotArea) => ComponentChildren;
}) {
  const figure = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(usualWidth);
  useLayoutEffect(() => {
    if (figure.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? usualWidth)));
    observer.observe(figure.current);
    return () => observer.disconnect();
  }, []);
  const area = {
    left: margin.left,
    width: Math.max(width - margin.left - margin.right, 1),
    top: margin.top,
    height: height - margin.top - margin.bottom,
  };
  return (
    <figure ref={figure}>
      <figcaption class="hint">{caption}</figcaption>
      <svg class="plot" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {ticks.y.map(([share, words]) => {
          const y = area.top + area.height * (1 - share);
          return (
            <g key={words}>
              <line class="grid" x1={area.left} x2={area.left + area.width} y1={y} y2={y} />
              <text x={area.left - 8} y={y + 4} text-anchor="end">
                {words}
              </text>
            </g>
          );
        })}
        {draw(area)}
        {ticks.x.map(([share, words]) => (
          <text
            key={share}
            x={area.left + area.width * share}
            y={height - 6}
            text-anchor={share < 0.1 ? 'start' : share > 0.9 ? 'end' : 'middle'}
          >
            {words}
          </text>
        ))}
      </svg>
    </figure>
  );
}

/** The next number with one digit of 1, 2 or 5 that is not below a value: where an axis ends. */
export function axisEnd(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return ([1, 2, 5].find((step) => step * power >= value) ?? 10) * power;
}
