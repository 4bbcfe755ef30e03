/** @jsxRuntime automatic @jsxImportSource preact */
import { signal } from "@preact/signals";
import { isConnected } from "../api/connection.ts";
import { message } from "../ui/announce.ts";
import { Button } from "../ui/button.tsx";

/** True when the server has a newer console than this tab: a part of it could not be loaded. */
export const isOutdated = signal(false);

/** The notices about the connection and updates, above everything, and the messages for screen readers. */
export function Notices() {
  return (
    <>
      <div class="sr-only" role="status" aria-label="Messages">
        {message}
      </div>
      <div class="notice" role="status">
        {!isConnected.value && "No connection. Uploads go on by themselves."}
      </div>
      {isOutdated.value && (
        <div class="notice notice-update" role="alert">
          <span>Dubplate was updated</span>
          <Button look="small" run={() => window.location.reload()}>
            Reload
          </Button>
        </div>
      )}
    </>
  );
}
