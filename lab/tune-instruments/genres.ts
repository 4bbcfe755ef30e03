import { HEARD_GENRES, HEARD_INSTRUMENTS } from "../../src/ears/tags.ts";
import {
  genreByPlayers,
  type PlayerWeights,
} from "../../src/modules/library/analysis/tagger/genres-by-players.ts";
import { fit, scalesOf } from "../train-tagger/logistic.ts";
import type { Judged } from "./bounds.ts";

/** L2 penalty, in units of the mean loss. */
const PENALTY = 0.003;
/** Instruments that hardly differ between pieces are not stretched: what is never heard there says nothing. */
const LEAST_WIDTH = 0.1;
const FIRST = HEARD_INSTRUMENTS.length;

/** Fits each of HEARD_GENRES to how likely each instrument is in pieces. */
export function fitGenres(pieces: readonly Judged[]): PlayerWeights[] {
  const scales = scalesOf(pieces.map(playersIn)).map(({ centre, width }) => ({
    centre,
    width: Math.max(LEAST_WIDTH, width),
  }));
  return HEARD_GENRES.map((_, genre) => {
    const known = pieces.filter(({ labels }) => !Number.isNaN(labels[FIRST + genre]));
    const rows = known.map((piece) =>
      playersIn(piece).map((player, i) => (player - (scales[i]?.centre ?? 0)) / (scales[i]?.width ?? 1)),
    );
    const { bias, weights } = fit(
      rows,
      known.map(({ labels }) => labels[FIRST + genre] === 1),
      PENALTY,
    );
    const own = weights.map((weight, i) => weight / (scales[i]?.width ?? 1));
    return {
      bias: own.reduce((sum, weight, i) => sum - weight * (scales[i]?.centre ?? 0), bias),
      weights: own,
    };
  });
}

/** Returns a piece with its genres by who plays. */
export function withGenres(genres: readonly PlayerWeights[], piece: Judged): Judged {
  const players = playersIn(piece);
  return {
    ...piece,
    probabilities: [
      ...players,
      ...HEARD_GENRES.flatMap((genre, i) => (genres[i] ? genreByPlayers(genre, genres[i], players) : [])),
    ],
  };
}

const playersIn = ({ probabilities }: Judged) => probabilities.slice(0, FIRST);
