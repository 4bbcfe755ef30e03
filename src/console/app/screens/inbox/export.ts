import { download } from "../../actions/download.ts";
import { clock } from "../../player/time.ts";
import { saveTable } from "../../ui/csv.ts";
import { toast } from "../../ui/toast.tsx";
import { type Item, nameOf, STATE_WORDS } from "./items.ts";

const HEAD = [
  "Sent",
  "Brief",
  "Title",
  "Artist",
  "From",
  "E-mail",
  "State",
  "Note",
  "Message",
  "Link",
  "Length",
  "BPM",
  "Key",
];

/** Saves the list as a table. */
export function saveItems(name: string, items: readonly Item[]): void {
  saveTable(name, [
    HEAD,
    ...items.map((item) => [
      item.createdAt,
      item.briefName,
      nameOf(item),
      item.track?.artist ?? "",
      item.senderName ?? "",
      item.senderEmail ?? "",
      STATE_WORDS[item.state],
      item.note ?? "",
      item.message ?? "",
      item.link ?? "",
      item.track?.durationSec ? clock(item.track.durationSec) : "",
      item.track?.bpm ? String(Math.round(item.track.bpm)) : "",
      item.track?.key ?? "",
    ]),
  ]);
}

/** Saves the files of the list. Tracks that stay in another library are not among them. */
export async function saveFiles(name: string, items: readonly Item[]): Promise<void> {
  const ids = items.flatMap(({ track }) => (track?.isOwn ? [track.id] : []));
  if (ids.length === 0) toast("There is no file in this list", { kind: "alert" });
  else await download({ where: { ids }, count: ids.length }, name);
}
