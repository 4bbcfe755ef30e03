import type { Json, TestApp } from "./app.ts";
import { noise, wavBytes } from "./signals.ts";

const md5 = (text: string) => new Bun.CryptoHasher("md5").update(text).digest("hex");

/** What a music app shows with each call. */
export type Credentials = { username: string; password: string; apiKey: string };

/** Calls a method of the players' door and returns what is inside its envelope. */
export type Door = (method: string, parameters?: Parameters) => Promise<Json>;
type Parameters = Record<string, string | number | readonly (string | number)[]>;

/** Returns the query of a call, with a salted token unless `shown` says something else. */
export function queryOf(
  { username, password }: Credentials,
  parameters: Parameters = {},
  shown: Record<string, string> = { u: username, t: md5(`${password}pepper`), s: "pepper" },
): string {
  const query = new URLSearchParams({ ...shown, v: "1.16.1", c: "test" });
  for (const [name, value] of Object.entries({ f: "json", ...parameters }))
    for (const each of [value].flat()) query.append(name, String(each));
  return query.toString();
}

/** Lets music apps into the library of a session, and makes one. */
export async function addPlayer(
  app: TestApp,
  token: string,
  { sound = "small", isOn = true }: { sound?: "small" | "original"; isOn?: boolean } = {},
): Promise<
  Credentials & { id: string; door: Door; get: (path: string, init?: RequestInit) => Promise<Response> }
> {
  const call = app.signedIn(token);
  if (isOn) await call("PATCH", "/app/players", { isOn: true });
  const { body } = await call("POST", "/app/players", { name: "Car", sound });
  const made = body.data;
  const get = (path: string, init?: RequestInit) => {
    const [method = "", query = ""] = path.split("?");
    const parameters = Object.fromEntries(new URLSearchParams(query));
    return app.request(`/rest/${method}?${queryOf(made, parameters)}`, init);
  };
  return {
    ...made,
    get,
    door: async (method, parameters) => {
      const response = await app.request(`/rest/${method}?${queryOf(made, parameters)}`);
      return ((await response.json()) as Json)["subsonic-response"];
    },
  };
}

/** Uploads a second of noise as a track of a library, which is not analysed. Returns its bytes too. */
export async function upload(
  app: TestApp,
  key: ReturnType<TestApp["as"]>,
  name: string,
  seed: number,
): Promise<{ id: string; bytes: Uint8Array }> {
  const bytes = wavBytes([noise(8000, 1, 0.5, seed)], 8000, 16) as Uint8Array<ArrayBuffer>;
  const form = new FormData();
  form.append("visible", "true");
  form.append("files", new File([bytes], name));
  app.clock.advance(1000);
  return { id: (await key("POST", "/tracks/upload", form)).body.data.uploaded[0].id, bytes };
}
