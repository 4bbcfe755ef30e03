/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { query, queryClient, useQuery } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { day } from "../../ui/dates.ts";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Part } from "./frame.tsx";
import { proved } from "./proof.tsx";

const asked = () => query("/app/account/recovery-codes", {}, {});
const readCodes = () => queryClient.invalidateQueries({ queryKey: asked().queryKey });

/** Codes that sign the person in when everything else is lost. */
export function Recovery() {
  const { data, error, refetch } = useQuery(asked());
  const { left = 0, createdAt = null } = data?.data ?? {};
  return (
    <Part
      heading="Recovery codes"
      note="Each signs you in once, when you have lost your password, your passkeys or your phone."
      tools={
        <span class="settings-tools">
          {createdAt !== null && (
            <Button look="small quiet" run={() => proved(remove)}>
              Delete codes
            </Button>
          )}
          <Button look={createdAt === null ? "small" : "secondary small"} run={() => proved(make)}>
            {createdAt === null ? "Make recovery codes" : "Make new codes"}
          </Button>
        </span>
      }
    >
      <Problem error={error} onRetry={refetch} />
      {data && createdAt === null && <p class="soft">You have no codes yet.</p>}
      {createdAt !== null && (
        <p>
          {left === 1 ? "1 code" : `${left} codes`} left, made on {day(createdAt)}.
        </p>
      )}
    </Part>
  );
}

async function make(): Promise<void> {
  const { codes } = await dataOf(api.POST("/app/account/recovery-codes", {}));
  void readCodes();
  showDialog((close) => (
    <Dialog label="Your recovery codes" onClose={close}>
      <div class="form">
        <p class="soft">
          Print them, or keep them in a password manager: they are not shown again. Earlier codes no longer
          work.
        </p>
        <ol class="recovery-codes mono" aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div class="dialog-actions">
          <CopyButton text={codes.join("\n")} said="Codes copied" />
          <Button run={close}>Done</Button>
        </div>
      </div>
    </Dialog>
  ));
}

async function remove(): Promise<void> {
  await dataOf(api.DELETE("/app/account/recovery-codes", {}));
  toast("Recovery codes deleted");
  await readCodes();
}
