/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * The console's script: the frame, which stays, and in it the screen of the address.
 *
 * How a screen is added:
 * - An address in `shared/addresses.ts`, with the requests that it begins with: their answers come with the document.
 * - A folder in `screens/` whose `index.tsx` has the default export; a loader in `frame/screens.tsx`. Its styles are a file
 *   beside it, imported there. Screens import `api`, `player`, `ui` and `actions`, never each other.
 * - `<Screen heading="…">` from `ui/screen.tsx` makes the `h1`, the window's title and the focus. A thing that also shows
 *   beside a list gets `isPanel`, and shows `<aside class="panel" aria-label={title}>` then; `go(path, { beside })` opens it.
 *
 * What it can use:
 * - Reading: `useQuery(query(path, parameters, depends))` from `api/queries.ts`. `depends` says which live events have it read
 *   again. The result is the whole answer: `data.data`, `data.paging`. `error` goes into `<Problem>`.
 * - Changing: `await dataOf(api.POST(path, { body }))` from `api/client.ts`; it throws `ApiError`, which `toastError` says in
 *   words. What `Button`, `IconButton`, `Switch`, menus and keys run may throw it: they call `toastError` themselves.
 *   `optimistically(query, patch, make)` shows the change before the answer. Then call `changed(topic, ids)`: it does at
 *   once what the live event would do later.
 * - Saying: `toast("Renamed to …", { undo })`; `announce("Moved to 3 of 12")` for screen readers alone.
 * - Keys: `useActions({ share: () => … })` from `ui/keys.ts` says what the actions of `ui/actions.ts` do while the component
 *   shows. That gives them their keys, a line in the palette and the tooltip `tooltip("share")`. `useCommands` adds lines
 *   without a key.
 * - Parts: `Button`, `IconButton`, `MenuButton`, `Dialog`, `FormDialog`, `showDialog`, `confirmFinal`, `Field`, `TextField`,
 *   `SelectField`, `Switch`, `Check`, `Segments`, `Combobox`, `ChosenWords`, `KeptField`, `PlainTable`, `LongTable`, `ListScreen`,
 *   `Empty`, `Problem`; `counted`, `ago`, `day` and their like for figures and times.
 * - Place: `go`, `setSearch`, `close`; `useKept` for what Back and a reload restore; `memory` for what the browser keeps.
 * - Links are ordinary `<a href={href("/library/…")}>`.
 */
// Before the screens: what they say of their own parts wins.
import "./styles/console.css";

import { render } from "preact";
import { followChanges } from "./api/live.ts";
import { Frame } from "./frame/frame.tsx";
import { followRole } from "./frame/role.ts";
import { startPlayer } from "./player/start.ts";
import { startPocket } from "./pocket/pocket.ts";
import { startRouter } from "./router.ts";
import { followVisit } from "./start/news.tsx";
import { startFocus } from "./ui/focus.ts";
import { startKeys } from "./ui/keys.ts";
import { startUploads } from "./uploads/restore.ts";

const place = document.getElementById("console");
if (place) {
  startRouter();
  startKeys();
  startFocus();
  startPlayer();
  place.replaceChildren();
  render(<Frame />, place);
  followChanges();
  followRole();
  followVisit();
  void startUploads();
  startPocket();
}
