import { openDb } from "../../db/client.ts";
import { accounts } from "../../db/schema.ts";
import { rowWriter } from "../../scripts/search-rows.ts";
import { type Brief, makeBriefs, relevance } from "./briefs.ts";
import { type Stored, type System, systemsOf } from "./systems.ts";
import { makeWorld, type Truth } from "./world.ts";

/** How well a system answers: normalised discounted cumulative gain of the first ten, 0 to 1. */
export type Quality = { name: string; ndcg: number };
/** A score from the product, and how well the track really fits. */
export type Judged = { score: number; relevance: number };
export type Evaluation = { qualities: Quality[]; judged: Judged[]; calibrationError: number };

const OWNER = "usr_evaluation";
const AT = 10;
const PAGE = 50;
const GRADES = 3;
const BINS = 10;

/**
 * Makes a library whose truth is known, searches it with briefs whose wishes are known, and measures how well each
 * system's answers fit the truth.
 */
export async function evaluate(seed: string, sizes: { tracks: number; briefs: number }): Promise<Evaluation> {
  const stored = store(seed, sizes.tracks);
  const truths = new Map(stored.ids.map((id, index) => [id, stored.world[index]?.truth]));
  const briefs = makeBriefs(seed, sizes.briefs, stored.world);
  const systems = await systemsOf(stored);
  const qualities = systems.map((system) => ({ name: system.name, ndcg: ndcgOf(system, briefs, truths) }));
  const [product] = systems;
  const judged = product ? briefs.flatMap((brief) => judge(product, brief, truths)) : [];
  stored.db.$client.close();
  return { qualities, judged, calibrationError: calibrationError(judged) };
}

function store(seed: string, count: number): Stored {
  const db = openDb(":memory:");
  db.insert(accounts).values({ id: OWNER, name: "A", createdAt: 0 }).run();
  const world = makeWorld(seed, count, OWNER);
  db.$client.run("PRAGMA foreign_keys = OFF");
  const write = rowWriter(db.$client);
  const ids = db.$client.transaction(() => world.map(({ made }) => write(made)))();
  return { db, ownerId: OWNER, ids, world };
}

type Truths = ReadonlyMap<string, Truth | undefined>;

/** @see Järvelin & Kekäläinen 2002; gains are 2 to the power of the grade, less 1. */
function ndcgOf({ search }: System, briefs: readonly Brief[], truths: Truths): number {
  const values = briefs.map((brief) => {
    const ideal = idealOf(brief, truths);
    const found = search(brief, AT).map(({ id }) => {
      const truth = truths.get(id);
      return truth ? gradeOf(relevance(brief.wish, truth)) : 0;
    });
    return ideal === 0 ? 1 : gain(found) / ideal;
  });
  return mean(values);
}

const ideals = new WeakMap<Brief, number>();

function idealOf(brief: Brief, truths: Truths): number {
  let ideal = ideals.get(brief);
  if (ideal === undefined) {
    const grades = Array.from(truths.values(), (truth) =>
      truth ? gradeOf(relevance(brief.wish, truth)) : 0,
    );
    ideal = gain(grades.sort((a, b) => b - a).slice(0, AT));
    ideals.set(brief, ideal);
  }
  return ideal;
}

/** Returns a grade as a person would: 0 does not fit, 1 fits partly, 2 fits well, 3 fits exactly. */
function gradeOf(fit: number): number {
  return fit >= 0.9 ? GRADES : fit >= 0.7 ? 2 : fit >= 0.45 ? 1 : 0;
}

function gain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0);
}

function judge({ search }: System, brief: Brief, truths: Truths): Judged[] {
  return search(brief, PAGE).flatMap(({ id, score }) => {
    const truth = truths.get(id);
    return truth ? [{ score, relevance: relevance(brief.wish, truth) }] : [];
  });
}

/**
 * Returns the expected calibration error: the distance between the mean score in each tenth of the scale and the
 * mean relevance of the tracks with such scores, weighted by their number.
 *
 * @see Naeini et al. 2015, "Obtaining Well Calibrated Probabilities Using Bayesian Binning", equation 3.
 */
export function calibrationError(judged: readonly Judged[]): number {
  const bins = Map.groupBy(judged, ({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)));
  return bins.values().reduce((sum, bin) => {
    const off = Math.abs(mean(bin.map(({ score }) => score)) - mean(bin.map((each) => each.relevance)));
    return sum + (off * bin.length) / judged.length;
  }, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
