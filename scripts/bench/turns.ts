/** How long something took compared with something else, as a ratio in each of several rounds. */
export type Ratio = { median: number; low: number; high: number };
/** What was compared, and the same compared with itself: what the machine's noise alone comes to. */
export type Turns = { ratio: Ratio; control: Ratio };

const P95 = 0.95;

/**
 * Compares two sets of searches by turns, each search beside its counterpart, so that both meet the same load. The ratio of a
 * round is that of their 95th percentiles.
 *
 * @param run Sends searches one after the other and returns how long each took.
 */
export async function comparedByTurns<Query>(
  { before, after, rounds }: { before: readonly Query[]; after: readonly Query[]; rounds: number },
  run: (queries: readonly Query[]) => Promise<number[]>,
): Promise<Turns> {
  const ratios: number[] = [];
  const controls: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const triples = before.map((query, index) => [query, after[index] ?? query, query] as const);
    // Whoever comes second finds the pages in the cache: each comes first, second and third equally often.
    const first = round % 3;
    const order = [0, 1, 2].map((place) => (place + first) % 3) as [Place, Place, Place];
    const times = await run(triples.flatMap((triple) => order.map((which) => triple[which])));
    const of = (which: Place) => p95Of(times.filter((_, index) => order[index % 3] === which));
    ratios.push(of(1) / of(0));
    controls.push(of(2) / of(0));
  }
  return { ratio: spreadOf(ratios), control: spreadOf(controls) };
}

type Place = 0 | 1 | 2;

function p95Of(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * P95)] ?? Number.NaN;
}

function spreadOf(ratios: readonly number[]): Ratio {
  const sorted = ratios.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
