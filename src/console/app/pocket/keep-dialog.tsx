/** @jsxRuntime automatic @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { Dialog, showDialog } from "../ui/dialog.tsx";
import { counted } from "../ui/numbers.ts";
import { toast, toastError } from "../ui/toast.tsx";
import { isApplePhone, isInstalled } from "./device.ts";
import { device } from "./here.ts";
import { keep, letGo, start } from "./keeping.ts";
import type { Wanted } from "./kept.ts";

/** Keeps things on this device; the first time it says what that means and asks. */
export async function askAndKeep(wants: readonly Wanted[]): Promise<void> {
  await start();
  if (device.peek()) begin(wants);
  else showDialog((close) => <KeepDialog wants={wants} onClose={close} />);
}

/** Lets go of things and says so; "Undo" keeps them again. */
export async function letGoHere(wants: readonly Wanted[]): Promise<void> {
  await letGo(wants);
  const [first] = wants;
  if (first) toast(`${first.name} removed from this device`, { undo: () => askAndKeep(wants) });
}

/** It goes on behind whatever shows; marks say how far it is. */
function begin(wants: readonly Wanted[]): void {
  const [first] = wants;
  const isOne = wants.length === 1 && first !== undefined;
  toast(`Keeping ${isOne ? first.name : counted(wants.length, "track")} on this device`);
  keep(wants).catch(sayWhyNot);
}

function sayWhyNot(thrown: unknown): void {
  const isFull = thrown instanceof DOMException && thrown.name === "QuotaExceededError";
  if (isFull) toast("Not enough room: free space on the device, then try again.", { kind: "alert" });
  else toastError(thrown);
}

function KeepDialog({ wants, onClose }: { wants: readonly Wanted[]; onClose: () => void }) {
  const isLasting = useSignal<boolean | undefined>(undefined);
  useEffect(() => {
    void navigator.storage.persist().then((answer) => {
      isLasting.value = answer;
    });
  }, []);
  const isOnPhone = isApplePhone();
  return (
    <Dialog label="Keep music on this device" onClose={onClose}>
      <p>
        Dubplate keeps small copies here, about 1 MB per minute. They play without a connection for 30 days
        after this device last reached your server. You can remove them at any time, here or from another
        device.
      </p>
      {isLasting.value !== undefined && <p class="soft">{LASTING[isLasting.value ? "yes" : "no"]}</p>}
      {isOnPhone && <p class="soft">Keep Dubplate open until this is done.</p>}
      {isOnPhone && !isInstalled() && (
        <p class="soft">On iPhone, first add Dubplate to the home screen: Share, then Add to Home Screen.</p>
      )}
      <div class="dialog-actions">
        <Button look="quiet" run={onClose}>
          Cancel
        </Button>
        <Button
          run={() => {
            onClose();
            begin(wants);
          }}
        >
          Keep
        </Button>
      </div>
    </Dialog>
  );
}

const LASTING = {
  yes: "This browser keeps them until you remove them.",
  no: "This browser may clear them when space runs out. Add Dubplate to your home screen to make that less likely.",
};
