/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../api/client.ts";
import { showDialog } from "../ui/dialog.tsx";
import type { Target } from "./bulk.ts";

/** Opens the dialog that edits tracks as a set: it shows what they have in common. */
export async function openEdit(target: Target): Promise<void> {
  const [common, { EditDialog }] = await Promise.all([
    dataOf(api.POST("/app/tracks/common", { body: { where: target.where } })),
    import("./edit-dialog.tsx"),
  ]);
  showDialog((close) => <EditDialog target={target} common={common} onClose={close} />);
}
