/**
 * How much the random tests do. The numbers that they name are those of `VOLUME=1`; `npm test` does a fifth, `npm run
 * test:long` ten times as much.
 */
const volume = Number(process.env['VOLUME'] || 0.2);

/** How often a random test repeats, of `count` times with `VOLUME=1`; at least once. */
export function repetitions(count: number): number {
  return Math.max(1, Math.round(count * volume));
}

/** How many times as long the engine of the run takes for a write at most. */
const slowness = process.env['ENGINE'] === 'dynamodb-local' ? 5 : 1;

/** Milliseconds that something may take whose amount grows with the volume and with what the engine takes. */
export function patience(milliseconds: number): number {
  return milliseconds * Math.max(1, volume) * slowness;
}

/**
 * The seed of a random test: that of an environment variable, else a new one.
 *
 * @param variable Such as `MODEL_SEED`. The title of the tests names it with the seed, so that a failure can be repeated.
 */
export function seedFrom(variable: string): number {
  return Number(process.env[variable] || Date.now() % 2 ** 31);
}
