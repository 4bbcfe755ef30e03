/** @jsxRuntime automatic @jsxImportSource preact */
import { route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { isSameBytes } from "../../../kernel/secrets.ts";
import { asPage } from "../../../pages/message.tsx";
import { pageRootOf } from "../../../pages/paths.ts";
import { htmlResponse } from "../../../pages/respond.ts";
import { findBatch } from "../briefs/service.ts";
import { brandFor } from "./brand-pages.ts";
import { listBatchFiles } from "./queries.ts";
import { ReceiptPage } from "./receipt-views.tsx";

const MAC_BYTES = 16;

/**
 * Returns the path of the page that shows a batch. The path contains no submission link, so it outlives them. It cannot
 * be guessed: 128 bits of it are a signature.
 */
export function receiptPath(deps: Pick<Deps, "secrets" | "settings">, batchId: string): string {
  return `${pageRootOf(deps.settings)}/submit/receipt/${batchId}.${macOf(deps, batchId)}`;
}

/** `/submit/receipt/{receipt}`: shows a batch for as long as the brief exists. */
export const receiptPages = (deps: Deps) => {
  const root = pageRootOf(deps.settings);
  const show = ({ params: { receipt } }: { params: { receipt: string } }) => {
    const [batchId = "", given = ""] = receipt.split(".");
    const isOurs = isSameBytes(Buffer.from(given), Buffer.from(macOf(deps, batchId)));
    const batch = isOurs ? findBatch(deps.db, batchId) : undefined;
    const brand = brandFor(deps, batch?.ownerId);
    const page = () => {
      if (!batch)
        throw new DomainError("not_found", "This receipt does not exist, or its call for music was deleted");
      const files = listBatchFiles(deps.db, batchId);
      return htmlResponse(<ReceiptPage root={root} batch={batch} files={files} />, { brand });
    };
    return asPage(root, page, () => brand);
  };
  return [route({ at: "GET /submit/receipt/:receipt", run: show })];
};

function macOf({ secrets }: Pick<Deps, "secrets">, batchId: string): string {
  const digest = new Bun.CryptoHasher("sha256", secrets("submission-receipts")).update(batchId).digest();
  return digest.subarray(0, MAC_BYTES).toString("base64url");
}
