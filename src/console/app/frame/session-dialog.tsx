/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { hasPasskeys, isDismissed, usePasskey } from "../../../pages/passkeys/browser.ts";
import { leftFor } from "../api/library.ts";
import { isSignedOut, sessionIsBack } from "../api/session.ts";
import { account, href, sendsMail, ways } from "../first-data.ts";
import { Button } from "../ui/button.tsx";
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
  return isSignedOut.value && !leftFor.value ? <SignInAgain /> : null;
}

const NO_CONNECTION = "There is no connection to the server at the moment.";

function SignInAgain() {
  const error = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    isBusy.value = true;
    error.value = await signIn({ email: account.email, password: String(form.get("password")) });
    isBusy.value = false;
    if (error.value === undefined) sessionIsBack();
  };
  const byPasskey = async () => {
    try {
      error.value = await signInByPasskey();
      if (error.value === undefined) sessionIsBack();
    } catch (thrown) {
      if (!isDismissed(thrown)) error.value = NO_CONNECTION;
    }
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
        <div class="dialog-ways">
          {ways.passkeys && hasPasskeys() && (
            <Button look="secondary small" run={byPasskey}>
              Sign in with a passkey
            </Button>
          )}
          {ways.provider !== null && (
            <a class="button secondary small" href={href(`/auth/provider?next=${here()}`)}>
              Sign in with {ways.provider}
            </a>
          )}
          {sendsMail && ways.passwords && (
            <a class="button quiet small" href={href("/forgot")} target="_blank" rel="noreferrer noopener">
              Forgotten your password?
            </a>
          )}
        </div>
        <div class="dialog-actions">
          <a class="button quiet" href={href(`/signin?next=${here()}`)}>
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

/** Where a sign-in on another page leads back to. */
const here = () => encodeURIComponent(location.pathname + location.search);

/** Signs in as the sign-in page does, which sets the cookie. Returns what went wrong. */
async function signIn(fields: Record<string, string>): Promise<string | undefined> {
  try {
    const response = await fetch(href("/signin"), {
      method: "POST",
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
    // The page leads on after a right password; the script may not see where.
    if (response.type === "opaqueredirect") return undefined;
    if ((await response.text()).includes(IN_NONE)) return `${IN_NONE}. Ask for an invitation.`;
    return WORDS[response.status] ?? "That did not work. Please try again.";
  } catch {
    return NO_CONNECTION;
  }
}

/** @throws DOMException when the person closed the browser's dialog. */
async function signInByPasskey(): Promise<string | undefined> {
  const asked = await fetch(href("/auth/passkey/options"), { method: "POST" });
  const { data } = await asked.json();
  const credential = await usePasskey(data.options);
  const problem = await signIn({ answer: JSON.stringify({ flow: data.flow, credential }) });
  if (problem !== undefined) return "This passkey does not work here.";
  const session = await (await fetch(href("/auth/session"))).json();
  // What is on the screen is somebody else's.
  if (session.data?.user.id !== account.id) location.reload();
  return undefined;
}
