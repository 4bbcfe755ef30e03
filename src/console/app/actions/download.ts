import { api, dataOf } from "../api/client.ts";
import { hrefInside, samePlace } from "../first-data.ts";
import { toast } from "../ui/toast.tsx";
import { type Target, tracksText } from "./bulk.ts";

/** Downloads the original files of tracks: one as it is, several as an archive. `name`: what the archive is called. */
export async function download({ where, count }: Target, name?: string): Promise<void> {
  const [only] = "ids" in where && where.ids.length === 1 ? where.ids : [];
  if (only !== undefined) return save(await originalOf(only));
  const { path, missing } = await dataOf(
    api.POST("/app/tracks/download", { body: { where, ...(name !== undefined && { name }) } }),
  );
  save(hrefInside(path));
  toast(`Downloading ${tracksText(count - missing)}`);
  if (missing > 0)
    toast(`${tracksText(missing)} left out: the files are not on the server.`, { kind: "alert" });
}

async function originalOf(trackId: string): Promise<string> {
  const versions = await dataOf(api.GET("/app/tracks/{trackId}/versions", { params: { path: { trackId } } }));
  return samePlace(versions.find(({ active }) => active)?.downloadUrl ?? "");
}

/** Has the browser save a file, by a link: the browser shows its progress, and uploads that are on their way do not ask whether to leave. */
export function save(address: string, name = ""): void {
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
}

/** Has the browser save text as a file. */
export function saveText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  save(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
