/** @jsxRuntime automatic @jsxImportSource preact */
import { setSearch } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { counted } from "../../ui/numbers.ts";
import type { Review, Version } from "./queries.ts";

type ReviewProps = { version: Version; reviews: readonly Review[] };

/** What is said of a version: who approves it, and whether somebody asks for changes. */
export function Verdicts({ version, reviews }: ReviewProps) {
  const { approved, changes } = version.review;
  const saidOf = (state: Review["state"]) =>
    reviews.filter((review) => review.versionId === version.id && review.state === state);
  return (
    <>
      {approved > 0 && <span class="mark good">Approved {byWords(approved, saidOf("approved"))}</span>}
      {changes > 0 && (
        <span class="mark warn" title={saidOf("changes").map(reasonOf).join("\n")}>
          Changes asked for
        </span>
      )}
    </>
  );
}

/** `by Bo and 1 more`. The names come later than the number. */
function byWords(count: number, [newest]: readonly Review[]): string {
  if (!newest) return count === 1 ? "" : `by ${count} people`;
  return `by ${newest.by.name}${count > 1 ? ` and ${count - 1} more` : ""}`;
}

const reasonOf = ({ by, text }: Review): string => (text === null ? by.name : `${by.name}: ${text}`);

/** The notes of a version that nobody has answered, and the way to them. */
export function OpenNotes({ version: { id, active, review } }: Pick<ReviewProps, "version">) {
  if (review.openNotes === 0) return null;
  return (
    <Button
      look="quiet small version-notes"
      run={() => setSearch({ tab: "review", round: active ? undefined : id, compare: undefined })}
    >
      {counted(review.openNotes, "open note")}
    </Button>
  );
}
