/** @jsxRuntime automatic @jsxImportSource preact */
import { showDialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";
import type { Shared, ShareOptions } from "./create.ts";

/**
 * Opens the dialog "Share …". Several tracks are shared as a new playlist. The dialog comes with its first use.
 */
export async function openShare(things: readonly Shared[], options: ShareOptions = {}): Promise<void> {
  if (things.length === 0) return;
  try {
    const { ShareDialog } = await import("./share-dialog.tsx");
    showDialog((close) => <ShareDialog things={things} {...options} onClose={close} />);
  } catch {
    toast("The dialog could not be loaded. Please reload.", { kind: "alert" });
  }
}
