/** Changes with every change to the ranking of tracks. */
export const RANKING_VERSION = "9";
