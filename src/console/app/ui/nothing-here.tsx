/** @jsxRuntime automatic @jsxImportSource preact */
import { href } from "../first-data.ts";
import { Screen } from "./screen.tsx";

/** The screen of an address that leads to nothing of this account. */
export function NothingHere() {
  return (
    <Screen heading="Nothing here">
      <div class="empty">
        <p class="soft">
          There is nothing at this address: it may be mistyped, or what it led to was deleted.
        </p>
        <a class="button secondary" href={href("/library")}>
          Go to the Library
        </a>
      </div>
    </Screen>
  );
}
