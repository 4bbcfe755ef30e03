/** @jsxRuntime automatic @jsxImportSource preact */
import { place, setSearch } from "../../router.ts";
import { tooltip } from "../../ui/actions.ts";
import { Button } from "../../ui/button.tsx";
import { later } from "../../ui/later.tsx";
import type { Clock } from "./clock.ts";
import type { Draft } from "./draft.ts";
import { labelOf } from "./names.ts";
import type { SheetProps, Version } from "./queries.ts";

/** The tab "Review". */
export const ReviewTab = later<SheetProps & { clock: Clock; draft: Draft }>(
  async () => (await import("./review/index.tsx")).default,
);

/** Goes through the notes of the version that plays, one by one. */
export const stepThrough = (): void =>
  setSearch({ tab: "review", step: "open", round: undefined, compare: undefined });

/** True when a version has notes to go through. */
export const hasNotes = (version: Version | undefined): version is Version =>
  version !== undefined && version.review.openNotes + version.review.answeredNotes > 0;

/** How many notes the version that plays answers. The round says it by itself. */
export function RoundLine({ active }: { active: Version | undefined }) {
  if (!hasNotes(active) || active.order === 0 || place.value.search.get("tab") === "review") return null;
  const { openNotes, answeredNotes } = active.review;
  return (
    <div class="round-line">
      <p role="status">
        {labelOf(active)}: {answeredNotes} of {openNotes + answeredNotes} notes answered
      </p>
      <Button look="secondary small" title={tooltip("stepThrough")} run={stepThrough}>
        Step through
      </Button>
    </div>
  );
}
