/** @jsxRuntime automatic @jsxImportSource preact */
import { account } from "../first-data.ts";
import { go } from "../router.ts";
import { Icon } from "../ui/icon.tsx";
import { runAction } from "../ui/keys.ts";
import { MenuButton } from "../ui/menu.tsx";
import { signOut } from "./sign-out.ts";

/** Who is signed in, and the way out. */
export function AccountMenu() {
  return (
    <MenuButton
      label="Account"
      class="icon-button account-button"
      items={() => [
        { name: "Recently deleted", run: () => go("/library/deleted") },
        { name: "First steps", run: () => go("/library/welcome") },
        { name: "What assistants did", run: () => go("/library/assistant") },
        { name: "Settings", run: () => go("/library/settings/profile") },
        { name: "Keyboard shortcuts", action: "help", run: () => runAction("help") },
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
