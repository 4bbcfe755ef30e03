/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { isSignedOut, sessionIsBack } from "../api/session.ts";
import { account, href } from "../first-data.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";

const WORDS: Readonly<Record<number, string>> = {
  401: "The password is wrong.",
  429: "Too many attempts. Please try again in 15 minutes.",
};

/** What the page says to somebody who has left their last library. */
const IN_NONE = "You are in no library now";

/** Opens over everything when the session has ended. Text typed below stays. */
export function SessionDialog() {
  return isSignedOut.value ? <SignInAgain /> : null;
}

function SignInAgain() {
  const error = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    isBusy.value = true;
    error.value = await signIn(String(form.get("password")));
    isBusy.value = false;
    if (error.value === undefined) sessionIsBack();
  };
  return (
    <Dialog label="Sign in again" onClose={() => undefined} mayClose={false}>
      <p class="soft">Your session has ended. Sign in to carry on where you left off.</p>
      <form class="form" noValidate onSubmit={(event) => void submit(event)}>
        <Field
          label="E-mail"
          name="email"
          type="email"
          autocomplete="username"
          value={account.email}
          readOnly
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          autofocus
          error={error.value}
        />
        <div class="dialog-actions">
          <a class="button quiet" href={href("/signin")}>
            Use another account
          </a>
          <button type="submit" class="button" aria-disabled={isBusy.value}>
            Sign in
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Signs in as the sign-in page does, which sets the cookie. Returns what went wrong. */
async function signIn(password: string): Promise<string | undefined> {
  try {
    const response = await fetch(href("/signin"), {
      method: "POST",
      body: new URLSearchParams({ email: account.email, password }),
      redirect: "manual",
    });
    // The page leads on after a right password; the script may not see where.
    if (response.type === "opaqueredirect") return undefined;
    if ((await response.text()).includes(IN_NONE)) return `${IN_NONE}. Ask for an invitation.`;
    return WORDS[response.status] ?? "That did not work. Please try again.";
  } catch {
    return "There is no connection to the server at the moment.";
  }
}
