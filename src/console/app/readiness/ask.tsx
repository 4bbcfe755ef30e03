/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../api/client.ts";
import { copy } from "../share/copy.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, showDialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";

/** Makes a page on which a composer fills in their own details, and shows its address. @throws ApiError. */
export async function askComposer(
  { id, name }: { id: string; name: string },
  trackId: string | undefined,
): Promise<void> {
  const body = trackId === undefined ? {} : { trackIds: [trackId] };
  const { url } = await dataOf(api.POST("/app/composers/{id}/ask", { params: { path: { id } }, body }));
  showDialog((close) => (
    <Dialog label={`Ask ${name}`} onClose={close}>
      <p class="soft">
        Send {name} this link. What they fill in becomes a suggestion on their page here, for you to take.
      </p>
      <Field label="Link" value={url} readOnly />
      <div class="dialog-actions">
        <Button run={() => copy(url, "Link copied")}>Copy</Button>
      </div>
    </Dialog>
  ));
}
