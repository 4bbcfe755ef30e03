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

/** A server that starts anew is there again within this. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Asks whose copy a sound is, and waits for the answer. A server that is started anew meanwhile has forgotten it, and is asked again.
 *
 * @throws ApiError for a refusal, and for a look-up that failed.
 */
export async function lookUp(given: Given, trackId: string | undefined, signal: AbortSignal): Promise<Leak> {
  let leak = await begun(given, trackId, signal);
  let heardAt = performance.now();
  while (leak.status === "working") {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    try {
      leak = await dataOf<Leak>(api.GET("/app/leaks/{id}", { params: { path: { id: leak.id } }, signal }));
      heardAt = performance.now();
    } catch (error) {
      const { status } = error as Partial<ApiError>;
      if (status === 404) leak = await begun(given, trackId, signal);
      else if (status !== 0 || performance.now() - heardAt > LONGEST_PAUSE_MS) throw error;
    }
  }
  if (leak.error) throw new ApiError(422, leak.error.code, leak.error.message);
  return leak;
}

function begun(given: Given, trackId: string | undefined, signal: AbortSignal): Promise<Leak> {
  const body = formOf(given, trackId) as FormData & Body<"POST /app/leaks">;
  return dataOf<Leak>(api.POST("/app/leaks", { body, signal }));
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
