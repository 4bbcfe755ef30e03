import { signal } from "@preact/signals";
import { go } from "../router.ts";
import { counted } from "../ui/numbers.ts";
import { toast } from "../ui/toast.tsx";
import { owner } from "./here.ts";
import { type CommentRow, isComment, readOutbox, sendOutbox } from "./outbox.ts";
import type { DeviceRow } from "./store.ts";

/** The comments that were not sent, or were refused. */
export const comments = signal<readonly CommentRow[]>([]);

export async function readComments(): Promise<void> {
  comments.value = (await readOutbox(owner)).filter(isComment);
}

/** Sends what waited for a connection, and says which of it was refused. */
export async function deliver(device: DeviceRow): Promise<void> {
  const before = (await readOutbox(device)).filter(isWaiting).length;
  await sendOutbox(device);
  await readComments();
  const refused = comments.peek().filter(({ refusal }) => refusal !== null).length;
  if (before > 0 && refused > 0)
    toast(`${counted(refused, "comment")} could not be sent`, {
      kind: "alert",
      action: { name: "Show", run: () => go("/library/pocket") },
    });
}

const isWaiting = (row: { refusal: string | null }) => row.refusal === null;
