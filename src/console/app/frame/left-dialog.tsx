/** @jsxRuntime automatic @jsxImportSource preact */
import { leftFor, library } from "../api/library.ts";
import { hrefOfLibrary } from "../first-data.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { signOut } from "./sign-out.ts";

/** Covers everything once the person is no longer in the library of this tab. */
export function LeftDialog() {
  if (!leftFor.value) return null;
  const { other } = leftFor.value;
  return (
    <Dialog label="Your access has ended" onClose={() => undefined} mayClose={false}>
      <div class="form" role="alert">
        <p>You are no longer in {library.value.name}.</p>
        {!other && <p class="soft">You are in no library now. Ask for an invitation.</p>}
        <div class="dialog-actions">
          {other ? (
            // The document is that of the library left: the other gets one of its own.
            <Button run={() => location.assign(hrefOfLibrary(other.id))}>Go to {other.name}</Button>
          ) : (
            <Button run={signOut}>Sign out</Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
