/** @jsxRuntime automatic @jsxImportSource preact */
import { PASSED_LISTED_DAYS } from "../../../../modules/briefs/inbox/shapes.ts";
import { href } from "../../first-data.ts";
import { Empty } from "../../ui/empty.tsx";
import type { Counts } from "./use-inbox.ts";

/** Shown when nothing is left to decide: the decisions made. */
export function Done({ counts }: { counts: Counts | undefined }) {
  const total = counts ? counts.shortlisted + counts.passed + counts.kept : 0;
  return (
    <Empty heading="Inbox is empty">
      {counts && total > 0 ? (
        <p class="soft">
          {counts.shortlisted} shortlisted, {counts.passed} passed, {counts.kept} kept. What you passed stays
          here for {PASSED_LISTED_DAYS} days.
        </p>
      ) : (
        <p class="soft">Open a brief and send its address to people: what they send arrives here.</p>
      )}
      <a class="button secondary" href={href("/library/briefs")}>
        Go to the briefs
      </a>
    </Empty>
  );
}
