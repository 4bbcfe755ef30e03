import { HEARD_INSTRUMENTS, type HeardGenre } from "../../../../ears/tags.ts";

/** How much it counts for a genre that one of HEARD_INSTRUMENTS plays, in log-odds. */
export type PlayerWeights = { bias: number; weights: readonly number[] };

const PIANO = HEARD_INSTRUMENTS.indexOf("Piano");

/**
 * Returns how likely a genre is that follows from who plays and who does not, from how likely each of HEARD_INSTRUMENTS
 * plays. See docs/decisions/0147.
 */
export function genreByPlayers(
  genre: HeardGenre,
  { bias, weights }: PlayerWeights,
  players: readonly number[],
): number {
  const logOdds = players.reduce((sum, player, i) => sum + player * (weights[i] ?? 0), bias);
  const likelihood = 1 / (1 + Math.exp(-logOdds));
  return genre === "Solo Piano" ? Math.min(likelihood, 1 - likeliestBesides(PIANO, players)) : likelihood;
}

const likeliestBesides = (player: number, players: readonly number[]) =>
  Math.max(...players.filter((_, i) => i !== player));
