/**
 * Mistakes in a request that must not compile: `tsc -p src/console/app` says so where one does. Nothing imports this file.
 */
import { api, dataOf } from "./client.ts";
import { query, queryOf } from "./queries.ts";
import type { Answer, Body, Data } from "./routes.ts";

const id = "";

/** In the path. */
export const paths = [
  // @ts-expect-error There is no such route.
  () => api.GET("/app/playlist/{playlistId}", { params: { path: { playlistId: id } } }),
  // @ts-expect-error The route is read, not written.
  () => api.PUT("/app/playlists/{playlistId}", { params: { path: { playlistId: id } } }),
  // @ts-expect-error Keys alone reach this address.
  () => api.GET("/api/v1/playlists", {}),
  // @ts-expect-error There is no such route to watch.
  () => query("/app/playlist", {}, {}),
  // @ts-expect-error The same with its query as text.
  () => queryOf(`/app/in-box?${id}`, {}),
];

/** In the parameters. */
export const parameters = [
  // @ts-expect-error The path needs an id.
  () => api.GET("/app/playlists/{playlistId}"),
  // @ts-expect-error The parameter has another name.
  () => api.GET("/app/playlists/{playlistId}", { params: { path: { id } } }),
  // @ts-expect-error The route takes no query.
  () => api.GET("/app/account", { params: { query: { limit: 1 } } }),
  // @ts-expect-error It is a number.
  () => query("/app/playlists", { query: { limit: "1" } }, {}),
  // @ts-expect-error There are two kinds.
  () => query("/app/playlists", { query: { kind: "mix" } }, {}),
  // @ts-expect-error A query that must be given.
  () => query("/app/library/tracks/single", {}, {}),
];

/** In the body. */
export const bodies = [
  // @ts-expect-error There is none.
  () => api.POST("/app/playlists"),
  // @ts-expect-error A field is missing.
  () => api.POST("/app/playlists", { body: {} }),
  // @ts-expect-error A field has another name.
  () => api.POST("/app/playlists", { body: { name: "", tracks: [] } }),
  // @ts-expect-error A name is a text.
  (): Body<"POST /app/playlists"> => ({ name: null }),
  // @ts-expect-error The route takes none.
  () => api.PUT("/app/playlists/{playlistId}/pin", { params: { path: { playlistId: id } }, body: { id } }),
];

/** In the use of the answer. */
export const answers = [
  // @ts-expect-error It has no such field.
  (card: Data<"GET /app/playlists/{playlistId}">) => card.title,
  // @ts-expect-error It may be null.
  (card: Data<"GET /app/playlists/{playlistId}">) => card.description.length,
  // @ts-expect-error A list has no name.
  async () => (await dataOf(api.GET("/app/playlists"))).name,
  // @ts-expect-error It has no such field, asked for by text either.
  () => queryOf(`/app/inbox?${id}`, {}).initialData()?.data[0]?.title,
  // @ts-expect-error Only lists have pages.
  () => query("/app/account", {}, {}).initialData()?.paging,
  // @ts-expect-error The bytes of a file are not read as JSON.
  (file: Answer<"GET /app/downloads/{downloadId}">) => file.data,
];

/** What the server has and a browser has not. */
export const server = [
  // @ts-expect-error
  () => Bun,
  // @ts-expect-error
  () => process,
  // @ts-expect-error
  () => Buffer,
];
