/** @jsxRuntime automatic @jsxImportSource preact */
import { showDialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";
import type { PaperWhere } from "./paper-where.ts";

/** Opens the dialog with the papers of tracks, or of a playlist. The dialog comes with its first use. */
export async function openPapers(where: PaperWhere, title: string): Promise<void> {
  try {
    const { PapersDialog } = await import("./papers-dialog.tsx");
    showDialog((close) => <PapersDialog where={where} title={title} onClose={close} />);
  } catch {
    toast("The dialog could not be loaded. Please reload.", { kind: "alert" });
  }
}

/** What papers of so many tracks are called. */
export const papersTitle = (tracks: readonly { title: string }[]): string =>
  tracks.length === 1 ? (tracks[0]?.title ?? "") : `${tracks.length} tracks`;
