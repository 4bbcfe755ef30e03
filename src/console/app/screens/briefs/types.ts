import { MAX_QUERY } from "../../../../modules/search/search/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { changed, query } from "../../api/queries.ts";
import type { paths } from "../../api/types.ts";

export type Brief = paths["/app/briefs/{id}"]["get"]["responses"][200]["content"]["application/json"]["data"];
export type Asked =
  paths["/app/briefs/{id}/requests"]["get"]["responses"][200]["content"]["application/json"]["data"][number];
export type Pack =
  paths["/app/briefs/{id}/pack"]["get"]["responses"][200]["content"]["application/json"]["data"];
export type Change = NonNullable<
  paths["/app/briefs/{id}"]["patch"]["requestBody"]
>["content"]["application/json"];

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
