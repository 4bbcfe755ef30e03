/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { usePages } from "../../api/pages.ts";
import { QUESTIONS } from "../../families/questions.ts";
import { Empty } from "../../ui/empty.tsx";
import { counted } from "../../ui/numbers.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Pair } from "./pair.tsx";
import "../../families/families.css";
import "./pair.css";

/** What may belong together: a list of questions, each with both tracks to look at and to listen to. */
export default function FamiliesScreen() {
  const { items, isWhole, error, retry } = usePages(QUESTIONS);
  const current = useSignal<string | undefined>(undefined);
  const shown = items ?? [];
  const first = shown[0];
  const isThere = shown.some(({ id, otherId }) => `${id} ${otherId}` === current.value);
  const currentId = isThere ? current.value : first && `${first.id} ${first.otherId}`;
  return (
    <Screen heading="Sets">
      <Problem error={error} onRetry={retry} />
      {items?.length === 0 && (
        <Empty heading="Nothing to ask">
          <p class="soft">
            New files join the set of their song by themselves when name and sound agree. When only one of the
            two does, you are asked here.
          </p>
        </Empty>
      )}
      {shown.length > 0 && (
        <p class="soft">
          {isWhole ? counted(shown.length, "file") : `More than ${shown.length} files`} may belong together
        </p>
      )}
      <ul class="family-pairs" aria-label="Questions" hidden={shown.length === 0}>
        {shown.map((question) => {
          const key = `${question.id} ${question.otherId}`;
          return (
            <Pair
              key={key}
              question={question}
              isCurrent={key === currentId}
              onTouch={() => {
                current.value = key;
              }}
            />
          );
        })}
      </ul>
    </Screen>
  );
}
