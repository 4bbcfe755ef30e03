import type { Answer, Json, TestApp } from "../support/app.ts";
import { newAudio } from "./files.ts";

/** Functions that create a person's data through the service's own routes. */
export type Library = {
  /** Calls the REST API and returns `data`. */
  api: (method: string, path: string, body?: Json) => Promise<Json>;
  /** Calls a route that needs a session token, and returns `data`. */
  web: (method: string, path: string, body?: Json) => Promise<Json>;
  /** Uploads a track that waits for its analysis. Returns its id. */
  track: () => Promise<string>;
  /** Returns the ids of two tracks with the same audio, both analysed; they are never changed. */
  analysed: () => Promise<readonly [string, string]>;
  /** Adds a version that is not active. Returns its id. */
  version: (trackId: string) => Promise<string>;
  playlist: (trackIds: readonly string[]) => Promise<string>;
  composer: () => Promise<{ id: string; email: string }>;
  /** Makes an open brief with a public page. Returns its id. */
  brief: () => Promise<string>;
  /** Submits a track to a brief. */
  submit: (briefId: string, trackId: string) => Promise<void>;
  /** Makes a key through key management. Returns its id. */
  newKey: (options?: Json) => Promise<{ id: string; key: string }>;
};

let named = 0;

/** Returns a word, different for every call. */
export const newWord = (prefix: string) => `${prefix}-${++named}`;

/** The audio profile of every uploaded track: all values, and a tag of every category. */
const AUDIO_PROFILE = {
  title: "Night Bus",
  artist: "The Commuters",
  key: "F minor",
  bpm: 122,
  genres: ["House"],
  moods: ["Happy"],
  types: ["Full Mix"],
  vocals: ["Female Vocals"],
  instruments: ["Piano"],
  lyricThemes: ["Love"],
  eras: ["1990s"],
  characters: ["Warm"],
  movements: ["Building"],
  additionalTags: ["demo"],
};

export function createLibrary(
  app: TestApp,
  { accountId, key, token }: { accountId: string; key: string; token: string },
): Library {
  const api = async (method: string, path: string, body?: Json) =>
    dataOf(`${method} ${path}`, await app.as(key)(method, path, body));
  const web = async (method: string, path: string, body?: Json) =>
    dataOf(`${method} ${path}`, await app.signedIn(token)(method, path, body));

  const upload = async (files: readonly Uint8Array<ArrayBuffer>[]): Promise<string[]> => {
    const form = new FormData();
    const names = files.map(() => `${newWord("track")}.wav`);
    for (const [index, bytes] of files.entries())
      form.append("files", new File([bytes], names[index] ?? "", { type: "audio/wav" }));
    form.append(
      "audioProfiles",
      JSON.stringify(names.map((name) => ({ name, audioProfile: AUDIO_PROFILE }))),
    );
    return (await api("POST", "/tracks/upload", form)).uploaded.map(({ id }: { id: string }) => id);
  };
  let analysed: Promise<readonly [string, string]> | undefined;

  return {
    api,
    web,
    track: async () => (await upload([newAudio()]))[0] ?? "",
    analysed: () => {
      analysed ??= (async () => {
        const audio = newAudio();
        const [first = "", second = ""] = await upload([audio, audio]);
        await app.drainJobs();
        return [first, second] as const;
      })();
      return analysed;
    },
    version: async (trackId) => {
      const form = new FormData();
      form.append("file", new File([newAudio()], `${newWord("mix")}.wav`, { type: "audio/wav" }));
      form.append("activate", "false");
      return (await api("POST", `/tracks/${trackId}/versions`, form)).id;
    },
    playlist: async (trackIds) =>
      (await api("POST", "/playlists", { name: newWord("Playlist"), description: "For the night", trackIds }))
        .playlist.id,
    composer: async () => {
      const email = `${newWord("writer")}@example.com`;
      const { id } = await api("POST", "/composers", { fullName: "Ada Writer", email, pro: "PRS" });
      return { id, email };
    },
    brief: async () => {
      const { id } = await web("POST", "/app/briefs", { name: newWord("Brief"), tags: ["slow"] });
      await web("PATCH", `/app/briefs/${id}`, { status: "open", publicPage: true });
      return id;
    },
    submit: async (briefId, trackId) => {
      await web("POST", `/app/briefs/${briefId}/submissions`, { trackId, message: "Have a listen" });
    },
    newKey: async (options = {}) => {
      if (options.scopes?.includes("act-as-user")) {
        const raw = app.createKey(accountId, options.scopes); // only the operator can do this
        return { id: raw.split(".")[0] ?? "", key: raw };
      }
      return await web("POST", "/integration/api-keys", { name: newWord("key"), ...options });
    },
  };
}

function dataOf(what: string, { status, body }: Answer): Json {
  if (status === 200 && body.data?.ok !== false) return body.data;
  throw new Error(`Preparing: ${what} answered ${status} ${JSON.stringify(body).slice(0, 300)}`);
}
