import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import type { Body, Data } from "../../api/routes.ts";

/** A sound that came from somewhere. */
export type Given = { name: string } & ({ file: File } | { url: string });

/** What is known of whose copy it is. */
export type Leak = Data<"GET /app/leaks/{id}">;
export type Candidate = Leak["candidates"][number];

/** The most that the server takes. */
const MAX_BYTES = 200 * 1024 * 1024;
const LOOK_EVERY_MS = 700;

/**
 * Asks whose copy a sound is, and waits for the answer.
 *
 * @throws ApiError for a refusal, and for a look-up that failed.
 */
export async function lookUp(given: Given, trackId: string | undefined, signal: AbortSignal): Promise<Leak> {
  const body = formOf(given, trackId) as FormData & Body<"POST /app/leaks">;
  let leak = await dataOf<Leak>(api.POST("/app/leaks", { body, signal }));
  while (leak.status === "working") {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    leak = await dataOf<Leak>(api.GET("/app/leaks/{id}", { params: { path: { id: leak.id } }, signal }));
  }
  if (leak.error) throw new ApiError(422, leak.error.code, leak.error.message);
  return leak;
}

function formOf(given: Given, trackId: string | undefined): FormData {
  const form = new FormData();
  if (trackId !== undefined) form.set("trackId", trackId);
  if ("url" in given) form.set("url", given.url);
  else {
    if (given.file.size > MAX_BYTES) throw new ApiError(413, "file_too_large", "The file is too large");
    form.set("file", given.file);
  }
  return form;
}
