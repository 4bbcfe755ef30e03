/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { MAX_RECOVERY_CODE } from "../../../../modules/people/signin/shapes.ts";
import { hasPasskeys, isDismissed, usePasskey } from "../../../../pages/passkeys/browser.ts";
import { api, dataOf, send } from "../../api/client.ts";
import { ApiError, errorOf } from "../../api/errors.ts";
import { account, href, ways } from "../../first-data.ts";
import { place } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { showDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { attempt } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { useSignIn } from "./sign-in-state.ts";

/** Does what needs a proof of who is there, and asks for it where the last one is too old. */
export async function proved(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== "proof_needed") throw thrown;
    showDialog((close) => <ProofDialog onClose={close} act={act} />);
  }
}

type ProofProps = { onClose: () => void; act: () => Promise<unknown> };

function ProofDialog({ onClose, act }: ProofProps) {
  const own = useSignIn();
  const password = useSignal("");
  const code = useSignal("");
  const isByCode = useSignal(false);
  const hasPassword = own?.hasPassword !== false;
  const usesCode = isByCode.value || !hasPassword;
  const prove = async () => {
    const body = usesCode ? { recoveryCode: code.value } : { password: password.value };
    await dataOf(api.POST("/auth/prove", { body }));
    return () => attempt(act);
  };
  const byPasskey = async () => {
    if (!(await proveByPasskey())) return;
    onClose();
    await act();
  };
  return (
    <FormDialog label="Is it you?" verb="Continue" onClose={onClose} send={prove}>
      {(wrong) => (
        <>
          <p class="soft">Whoever changes how you sign in proves first that it is you.</p>
          <input class="sr-only" type="text" autocomplete="username" value={account.email} readOnly hidden />
          {usesCode ? (
            <CodeField code={code} error={wrong.recoveryCode} />
          ) : (
            <Field
              label="Your password"
              type="password"
              autocomplete="current-password"
              autofocus
              error={wrong.password}
              {...typed(password)}
            />
          )}
          <div class="dialog-ways">
            {ways.passkeys && hasPasskeys() && (
              <Button look="secondary small" run={byPasskey}>
                Use a passkey
              </Button>
            )}
            {own?.provider?.connected && (
              <a
                class="button secondary small"
                href={href(`/auth/provider?for=proof&next=${encodeURIComponent(href(place.value.path))}`)}
              >
                Use {own.provider.name}
              </a>
            )}
            {hasPassword && (
              <Button
                look="quiet small"
                run={() => {
                  isByCode.value = !isByCode.value;
                }}
              >
                {usesCode ? "Use your password" : "Use a recovery code"}
              </Button>
            )}
          </div>
        </>
      )}
    </FormDialog>
  );
}

function CodeField({ code, error }: { code: Signal<string>; error: string | undefined }) {
  return (
    <Field
      label="Recovery code"
      hint="Each works once."
      autocomplete="off"
      maxLength={MAX_RECOVERY_CODE}
      error={error}
      {...typed(code)}
    />
  );
}

/** Returns false when the person closed the browser's dialog. */
async function proveByPasskey(): Promise<boolean> {
  const answer = await send(new Request(href("/auth/passkey/options"), { method: "POST" }));
  if (!answer.ok) throw await errorOf(answer);
  const { flow, options } = (await answer.json()).data;
  try {
    const credential = await usePasskey(options);
    await dataOf(api.POST("/auth/prove", { body: { flow, credential: credential as never } }));
    return true;
  } catch (thrown) {
    if (isDismissed(thrown)) return false;
    throw thrown;
  }
}
