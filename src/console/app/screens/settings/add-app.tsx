/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_PLAYER_NAME } from "../../../../modules/pocket/players/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { can } from "../../api/library.ts";
import { query, queryClient } from "../../api/queries.ts";
import { copy } from "../../share/copy.ts";
import { QrCode } from "../../share/qr-code.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Segments } from "../../ui/segments.tsx";
import { typed } from "../../ui/use-form.ts";

const SOUNDS = [
  { value: "small", name: "Small" },
  { value: "original", name: "Original files" },
] as const;

/** The music apps, and whether the library lets them in. */
export const playersQuery = () => query("/app/players", {}, {});
export const readPlayers = () => queryClient.invalidateQueries({ queryKey: playersQuery().queryKey });

/** Makes a password for a music app in a dialog, which shows it. */
export function openAddApp({ canReveal }: { canReveal: boolean }): void {
  showDialog((close) => <AddAppDialog canReveal={canReveal} onClose={close} />);
}

function AddAppDialog({ canReveal, onClose }: { canReveal: boolean; onClose: () => void }) {
  const name = useSignal("");
  const sound = useSignal<"small" | "original">("small");
  const send = async () => {
    const body = { name: name.value, sound: sound.value };
    const made = await dataOf(api.POST("/app/players", { body }));
    void readPlayers();
    return () => showPassword(body.name, made, { canReveal });
  };
  return (
    <FormDialog label="Add an app" verb="Create" onClose={onClose} send={send}>
      {(wrong) => (
        <>
          <Field
            label="Name"
            placeholder="Car"
            autofocus
            required
            maxLength={MAX_PLAYER_NAME}
            error={wrong.name}
            {...typed(name)}
          />
          {can("download:originals") && (
            <fieldset class="purposes">
              <legend>Sound</legend>
              <Segments
                label="Sound"
                options={SOUNDS}
                current={sound.value}
                onChange={(chosen) => {
                  sound.value = chosen;
                }}
              />
              <p class="field-hint">Small plays everywhere. Original files need more room and data.</p>
            </fieldset>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** What a music app signs in with. */
type SignIn = { server: string; username: string; password: string; apiKey: string };

/** Shows what to type into a music app. */
export function showPassword(name: string, signIn: SignIn, { canReveal }: { canReveal: boolean }): void {
  showDialog((close) => (
    <Dialog label={`Password of ${name}`} onClose={close}>
      <div class="form">
        <p class="soft">
          Type these into the app, or scan the address.
          {!canReveal && " The password is not shown again."}
        </p>
        {signIn.server.startsWith("http:") && (
          <p class="settings-warning">Without https, anybody on the same network can read this password.</p>
        )}
        <ToCopy label="Server" text={signIn.server} />
        <ToCopy label="User name" text={signIn.username} />
        <ToCopy label="Password" text={inGroups(signIn.password)} />
        <ToCopy label="API key" text={signIn.apiKey} />
        <QrCode text={signIn.server} label="The server's address as a QR code" />
        <div class="dialog-actions">
          <Button run={close}>Done</Button>
        </div>
      </div>
    </Dialog>
  ));
}

function ToCopy({ label, text }: { label: string; text: string }) {
  return (
    <div class="to-copy">
      <Field label={label} readOnly value={text} />
      <Button look="secondary" label={`Copy ${label}`} run={() => copy(text, `${label} copied`)}>
        Copy
      </Button>
    </div>
  );
}

/** The server takes it with and without the dashes. */
const inGroups = (secret: string) => secret.replace(/(.{5})(?!$)/g, "$1-");
