import { MAX_QUERY } from "../../../../modules/search/search/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { changed, query } from "../../api/queries.ts";
import type { Body, Data } from "../../api/routes.ts";

export type Brief = Data<"GET /app/briefs/{id}">;
export type Asked = Data<"GET /app/briefs/{id}/requests">[number];
export type Pack = Data<"GET /app/briefs/{id}/pack">;
export type Change = Body<"PATCH /app/briefs/{id}">;

export const briefQuery = (id: string) => query("/app/briefs/{id}", { path: { id } }, { submissions: [id] });

/** Changes a brief. @throws ApiError */
export async function changeBrief(id: string, body: Change): Promise<void> {
  await dataOf(api.PATCH("/app/briefs/{id}", { params: { path: { id } }, body }));
  changed("submissions", [id]);
}

/** How a brief's state is said. */
export const STATUS_WORDS: Readonly<Record<Brief["status"], string>> = {
  draft: "Draft",
  open: "Open",
  closed: "Closed",
  archived: "Archived",
};

/** Returns the text of a brief as a search takes it. */
export const textOf = ({ name, description }: Pick<Brief, "name" | "description">): string =>
  [name, description ?? ""].filter(Boolean).join(". ").slice(0, MAX_QUERY);
