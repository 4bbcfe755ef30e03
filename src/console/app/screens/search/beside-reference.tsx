/** @jsxRuntime automatic @jsxImportSource preact */
import { href } from "../../first-data.ts";
import type { Asked } from "./asked.ts";
import type { Answer } from "./search.ts";
import { titleOf } from "./titles.ts";

/** How search says why a track is alike; one that is not has no such reason. */
const ALIKE = /^sounds like /i;

/** What goes before the results beside a reference: the very recording, or that nothing is alike. */
export function BesideReference({ asked, answer }: { asked: Asked; answer: Answer }) {
  if (!asked.reference) return null;
  const { results, interpretation } = answer;
  const same = interpretation.appliedTuning.reference?.sameRecordingAs ?? null;
  const isAlike = results.some(({ reason }) => reason.some((each) => ALIKE.test(each)));
  return (
    <>
      {same !== null && (
        <p class="same-recording">
          This is “{titleOf(same)}”.{" "}
          <a class="button secondary small" href={href(`/library/tracks/${same}`)}>
            Open
          </a>
        </p>
      )}
      {!isAlike && results.length > 0 && <p>Nothing in your library sounds like this. The nearest:</p>}
    </>
  );
}
