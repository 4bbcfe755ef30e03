import { api, dataOf } from "../../api/client.ts";
import { changed, optimistically } from "../../api/queries.ts";
import { type Card, cardQuery } from "../../playlists/types.ts";

/** What can be changed of a playlist or an album; null clears it. */
export type Change = Partial<
  Pick<
    Card,
    | "name"
    | "description"
    | "collaborative"
    | "kind"
    | "artist"
    | "type"
    | "label"
    | "catalogueNumber"
    | "releaseDate"
    | "upc"
  >
>;

/** Shows a change at once, and makes it. @throws ApiError. */
export async function save(card: Card, change: Change): Promise<void> {
  const params = { path: { playlistId: card.id } };
  const { type, ...others } = change;
  const body = { ...others, ...(type && { type }) };
  await optimistically(
    cardQuery(card.id),
    (answer) => ({ ...answer, data: { ...answer.data, ...change } }),
    () => dataOf(api.PATCH("/app/library/playlists/{playlistId}", { params, body })),
  );
  changed("playlists", [card.id]);
}
