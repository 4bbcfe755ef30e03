/** Changes with every change to how tracks are ranked. */
export const RANKING_VERSION = "3";
