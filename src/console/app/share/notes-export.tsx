/** @jsxRuntime automatic @jsxImportSource preact */
import { showDialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";
import type { NotedVersion } from "./notes-dialog.tsx";

/** Opens the dialog "Notes for your workstation". The dialog comes with its first use. */
export async function openNotesExport(track: { id: string }, version: NotedVersion): Promise<void> {
  try {
    const { NotesDialog } = await import("./notes-dialog.tsx");
    showDialog((close) => <NotesDialog trackId={track.id} version={version} onClose={close} />);
  } catch {
    toast("The dialog could not be loaded. Please reload.", { kind: "alert" });
  }
}
