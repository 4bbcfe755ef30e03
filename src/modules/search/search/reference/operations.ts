import { receiveForm } from "../../../../http/body/multipart.ts";
import { op, WithHeaders } from "../../../../http/operation.ts";
import { signalOf } from "../../../../http/request-state.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import type { ReadForm } from "../../../library/uploads/service.ts";
import type { ReadWithModel } from "../llm/reader.ts";
import { searchByReference } from "../service.ts";
import { SearchResult } from "../shapes.ts";
import { ReferenceForm } from "./form-shapes.ts";
import { createReferenceReader } from "./service.ts";

/** Returns the header that says how many searches are left. */
export const creditsLeft = (remaining: number | null) => ({
  "x-service-credits-remaining": remaining === null ? "unlimited" : String(remaining),
});

/** Search by a sound that is not in the library. It costs what a search by prose costs. */
export function referenceOperation(deps: Deps, reader: () => Promise<ReadWithModel | undefined>) {
  const { db, now, settings } = deps;
  const readReference = createReferenceReader(deps);
  return op({
    at: "POST /tracks/search/reference",
    id: "searchTracksByReference",
    key: "read:tracks",
    reads: "form",
    tag: "Search",
    summary: "Search tracks by a sound",
    description:
      "Compares every analysed track with a file or an address, as a whole or in part; words beside it are read as in " +
      "`POST /tracks/search`. Nothing of the sound is kept. Costs one credit per call.",
    answer: SearchResult,
    requestBody: { contentType: "multipart/form-data", schema: ReferenceForm },
    refusals: [
      "not_enough_credits",
      "too_many_files",
      "file_too_large",
      "invalid_file_type",
      "url_not_allowed",
      "download_failed",
      "analysis_failed",
      "insufficient_storage",
    ],
    async run(_, { actor, request }) {
      const signal = signalOf(request);
      const known = Object.keys(ReferenceForm.properties);
      const readForm: ReadForm = (stage) =>
        receiveForm(request, "file", { maxFiles: 1, known }, ({ bytes }) => stage(bytes));
      const asked = await readReference(actor, readForm, signal);
      const searching = { db, now, settings, readWithModel: await reader() };
      const { result, creditsRemaining } = await searchByReference(searching, actor, asked, signal);
      return new WithHeaders(result, creditsLeft(creditsRemaining));
    },
  });
}
