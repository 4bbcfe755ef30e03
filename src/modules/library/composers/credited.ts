import type { Deps } from "../../../kernel/deps.ts";
import { type RightsProblem, rightsProblems } from "./rights.ts";

/** A composer's share of a track, with what is missing or wrong in their rights data. */
export type CreditedComposer = {
  id: string;
  name: string;
  role: string;
  share: number;
  pro: string | null;
  ipi: string | null;
  isni: string | null;
  problems: RightsProblem[];
};

type Row = Omit<CreditedComposer, "problems"> & {
  trackId: string;
  email: string | null;
  publisherIpi: string | null;
};

/** Returns the credits of tracks in the order written, by the tracks' ids. The caller must be allowed to see the tracks. */
export function rightsOfTracks(
  { db }: Pick<Deps, "db">,
  trackIds: readonly string[],
): Map<string, CreditedComposer[]> {
  const rows = db.$client
    .query<Row, [string]>(
      `SELECT s.track_id AS trackId, c.id, c.full_name AS name, s.role, s.share, c.pro, c.ipi, c.email, c.isni,
         c.publisher_ipi AS publisherIpi
       FROM json_each(?1) i CROSS JOIN track_shareholders s ON s.track_id = i.value
       JOIN composers c ON c.id = s.composer_id ORDER BY s.position`,
    )
    .all(JSON.stringify(trackIds));
  const credits = rows.map(({ email, publisherIpi, ...row }) => ({
    ...row,
    problems: rightsProblems({ ...row, email, publisherIpi }),
  }));
  return Map.groupBy(credits, ({ trackId }) => trackId);
}
