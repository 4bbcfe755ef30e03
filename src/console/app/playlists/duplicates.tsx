/** @jsxRuntime automatic @jsxImportSource preact */
import { Button } from "../ui/button.tsx";
import type { Addition } from "./change.ts";

const LIST = new Intl.ListFormat("en");
const MAX_NAMED = 3;

/** Says which tracks are in the playlist already, before anything is added. */
export function Duplicates({
  twice,
  others,
  playlist,
  onAdd,
}: {
  twice: readonly Addition[];
  others: readonly Addition[];
  playlist: string;
  onAdd: (tracks: "all" | "others") => void;
}) {
  const named = twice.slice(0, MAX_NAMED).map(({ title }) => `“${title}”`);
  const more = twice.length > MAX_NAMED ? [`${twice.length - MAX_NAMED} more`] : [];
  const isOne = twice.length === 1;
  return (
    <div class="form">
      <p role="alert">
        {LIST.format([...named, ...more])} {isOne ? "is" : "are"} already in {playlist}.
      </p>
      <div class="dialog-actions">
        <Button look="secondary" run={() => onAdd("all")}>
          Add anyway
        </Button>
        {others.length > 0 && (
          <Button run={() => onAdd("others")}>
            {others.length === 1 ? "Add the other" : `Add the other ${others.length}`}
          </Button>
        )}
      </div>
    </div>
  );
}
