import { signal } from "@preact/signals";
import { api } from "../../api/client.ts";
import { ofLibrary } from "../../api/library.ts";
import { changed } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { toast, toastError } from "../../ui/toast.tsx";

/** A revoked link cannot be restored, so the server is told only when Undo is no longer offered. */
const UNDO_MS = 10_000;

/** Links that were revoked here, or are about to be. */
export const revoking = signal<ReadonlySet<string>>(new Set());
const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** How to take away what offers the way back. */
const offers = new Map<string, () => void>();

/** Revokes a link in ten seconds, unless that is undone. Closing the window revokes it at once. */
export function revokeSoon(id: string): void {
  if (timers.has(id)) return;
  revoking.value = new Set([...revoking.value, id]);
  timers.set(
    id,
    setTimeout(() => void revoke(id), UNDO_MS),
  );
  offers.set(id, toast("Link revoked", { undo: () => forget(id), shownMs: UNDO_MS }));
}

async function revoke(id: string): Promise<void> {
  timers.delete(id);
  offers.get(id)?.();
  try {
    await api.DELETE("/app/shares/{id}", { params: { path: { id } } });
    changed("shares", [id]);
  } catch (thrown) {
    toastError(thrown);
    forget(id);
  }
}

function forget(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  offers.delete(id);
  revoking.value = new Set([...revoking.value].filter((each) => each !== id));
}

addEventListener("pagehide", () => {
  for (const id of timers.keys())
    void fetch(href(`/app/shares/${id}`), { method: "DELETE", keepalive: true, headers: ofLibrary() });
  timers.clear();
});
