import { type Query, query } from "../api/queries.ts";

type DataOf<Asked> = Asked extends Query<{ data: infer Data }> ? Data : never;

export const familyQuery = (trackId: string) =>
  query("/app/tracks/{trackId}/family", { path: { trackId } }, { tracks: [trackId], shares: "all" });

/** The set of a track. */
export type Family = DataOf<ReturnType<typeof familyQuery>>;
/** A track of a set. */
export type Member = Family["members"][number];
