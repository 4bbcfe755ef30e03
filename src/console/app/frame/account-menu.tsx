/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../api/client.ts";
import { library } from "../api/library.ts";
import { account, hrefOfLibrary, libraries, mayFound } from "../first-data.ts";
import { go } from "../router.ts";
import { showDialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { runAction } from "../ui/keys.ts";
import { MenuButton, type MenuItem } from "../ui/menu.tsx";
import { signOut } from "./sign-out.ts";

/** Who is signed in, and the way out. */
export function AccountMenu() {
  return (
    <MenuButton
      label="Account"
      class="icon-button account-button"
      items={() => [
        ...choiceOfLibrary(),
        { name: "Recently deleted", isOfAll: true, run: () => go("/library/deleted") },
        { name: "First steps", need: "manage:library", run: () => go("/library/welcome") },
        { name: "What assistants did", need: "manage:library", run: () => go("/library/assistant") },
        { name: "Settings", run: () => go("/library/settings/profile") },
        { name: "Keyboard shortcuts", action: "help", run: () => runAction("help") },
        ...(mayFound ? [{ name: "New library…", run: openNewLibrary }] : []),
        null,
        { name: "Sign out", run: signOut },
      ]}
    >
      <span class="account-initial" aria-hidden="true">
        {account.name.trim().charAt(0).toUpperCase() || <Icon name="account" />}
      </span>
    </MenuButton>
  );
}

/** The libraries of somebody who has several. Another one gets a document of its own. */
function choiceOfLibrary(): MenuItem[] {
  if (libraries.length < 2) return [];
  const items = libraries.map(({ id, name }) => {
    const isOn = id === library.value.id;
    return { name: isOn ? library.value.name : name, isOn, run: () => isOn || enter(id) };
  });
  return [{ group: "Library", items }, null];
}

/** Opens a library here, and from now on where an address names none. */
async function enter(id: string): Promise<void> {
  await dataOf(api.PUT("/app/libraries/current", { body: { id } }));
  location.assign(hrefOfLibrary(id));
}

async function openNewLibrary(): Promise<void> {
  const { NewLibraryDialog } = await import("./new-library-dialog.tsx");
  showDialog((close) => <NewLibraryDialog onClose={close} />);
}
